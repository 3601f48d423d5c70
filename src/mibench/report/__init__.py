"""Pictures and tables of tasks and of what estimators make of them."""
