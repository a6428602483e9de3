"""What the games tell together: tables, plots and exports."""
