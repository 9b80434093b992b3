"""The answers, one module per question. What stands between the solution marks is what students write."""
