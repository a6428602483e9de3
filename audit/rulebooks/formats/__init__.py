"""Documents of word processors, web pages and PDF as plain text: headings, bullets and paragraphs."""
