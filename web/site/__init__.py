"""What every page needs: headers, errors, languages, labels, caching, and who may write."""
