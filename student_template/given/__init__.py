"""What the homework gives you, complete: data, training loops, experiments and figures. Nothing here is graded."""
