"""Every figure of the homework, drawn with Plotly from tensors."""
