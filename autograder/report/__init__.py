"""What a class has understood: one self-contained page for the staff, made of the results of a batch."""
