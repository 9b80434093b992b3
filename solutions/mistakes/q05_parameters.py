"""Wrong answers to q05: three functions in one cell, of which one or more miscount."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
from solutions.mistakes import mistake

Q = "q05_parameters"


@mistake(
    Q,
    caught_by="one_head_has_three_matrices",
    cause="The output matrix of multi-head attention is counted for a single head as well.",
    hint="A single head returns its averages as they are. Which matrices has it met on the way?",
)
def gives_one_head_an_output_matrix():
    def attention_parameters(D):
        return 4 * D**2

    def multi_head_parameters(D):
        return 4 * D**2

    def dense_parameters(N, D):
        return N**2 * D**2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="one_head_has_three_matrices",
    cause="Queries and keys are counted as one matrix.",
    hint="Asking and being asked are different roles. How many matrices does a token meet?",
)
def shares_queries_and_keys():
    def attention_parameters(D):
        return 2 * D**2

    def multi_head_parameters(D):
        return 3 * D**2

    def dense_parameters(N, D):
        return N**2 * D**2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="several_heads_have_the_weights_of_pytorchs",
    cause="The output matrix W_o is forgotten.",
    hint="After the heads have been put side by side, one more matrix mixes them.",
)
def forgets_the_output_matrix():
    def attention_parameters(D):
        return 3 * D**2

    def multi_head_parameters(D):
        return 3 * D**2

    def dense_parameters(N, D):
        return N**2 * D**2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="several_heads_have_the_weights_of_pytorchs",
    cause="Every one of twelve heads is counted as wide as a token.",
    hint="The heads share the D features among them. How wide is one head, and what happens to H in the sum?",
)
def gives_every_head_the_full_width():
    def attention_parameters(D):
        return 3 * D**2

    def multi_head_parameters(D, H=12):
        return H * 3 * D**2 + H * D * D

    def dense_parameters(N, D):
        return N**2 * D**2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="attention_counts_hold_for_any_width",
    cause="Biases are counted.",
    hint="The docstring counts weights without biases.",
)
def counts_biases():
    def attention_parameters(D):
        return 3 * (D**2 + D)

    def multi_head_parameters(D):
        return 4 * (D**2 + D)

    def dense_parameters(N, D):
        return N**2 * D**2 + N * D

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="a_dense_layer_joins_every_number_to_every_other",
    cause="The dense layer is taken to act on each token alone.",
    hint="A dense layer on the whole text lets every number reach every other, also those of other tokens.",
)
def applies_the_dense_layer_to_each_token():
    def attention_parameters(D):
        return 3 * D**2

    def multi_head_parameters(D):
        return 4 * D**2

    def dense_parameters(N, D):
        return N * D**2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="a_dense_layer_joins_every_number_to_every_other",
    cause="The weights are counted like the N x N weights of attention, per feature.",
    hint="How many numbers go in, how many come out? Each pair has a weight of its own.",
)
def joins_tokens_but_not_features():
    def attention_parameters(D):
        return 3 * D**2

    def multi_head_parameters(D):
        return 4 * D**2

    def dense_parameters(N, D):
        return N**2 * D

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="dense_counts_grow_with_the_square_of_both_sizes",
    cause="Only pairs of different numbers are counted, each once.",
    hint="Every input has a weight to every output, also to the one in its own place, and back is another weight.",
)
def counts_each_pair_once():
    def attention_parameters(D):
        return 3 * D**2

    def multi_head_parameters(D):
        return 4 * D**2

    def dense_parameters(N, D):
        return N * D * (N * D - 1) // 2

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="one_head_has_three_matrices",
    cause="Counts come back as floats.",
    hint="A count is a whole number. Which of your operations leaves the whole numbers?",
)
def returns_floats():
    def attention_parameters(D):
        return 3 * D**2.0

    def multi_head_parameters(D):
        return 4 * D**2.0

    def dense_parameters(N, D):
        return N**2.0 * D**2.0

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="counts_are_exact_however_large",
    cause="Counts pass through floats, which hold 53 bits.",
    hint="A float holds about 16 digits. How many has the count of a large dense layer?",
)
def passes_through_floats():
    def attention_parameters(D):
        return int(3 * float(D) ** 2)

    def multi_head_parameters(D):
        return int(4 * float(D) ** 2)

    def dense_parameters(N, D):
        return int((float(N) * float(D)) ** 2)

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="counts_are_exact_however_large",
    cause="Counts are computed in tensors of 64-bit integers, which overflow without a word.",
    hint="A tensor's integers have a largest value, Python's have none.",
    source="https://github.com/codertimo/BERT-pytorch/issues/18",
)
def counts_in_tensors():
    import torch

    def attention_parameters(D):
        return (3 * torch.tensor(D) ** 2).item()

    def multi_head_parameters(D):
        return (4 * torch.tensor(D) ** 2).item()

    def dense_parameters(N, D):
        return (torch.tensor(N) ** 2 * torch.tensor(D) ** 2).item()

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="one_head_has_three_matrices",
    cause="Counts are printed instead of returned.",
    hint="What a function shows on the screen is lost for whoever called it.",
)
def prints_the_counts():
    def attention_parameters(D):
        print(3 * D**2)

    def multi_head_parameters(D):
        print(4 * D**2)

    def dense_parameters(N, D):
        print(N**2 * D**2)

    return attention_parameters, multi_head_parameters, dense_parameters


@mistake(
    Q,
    caught_by="attention_counts_hold_for_any_width",
    cause="The counts of GPT-2 small are written down as constants.",
    hint="The width of a token is an argument: the count must change with it.",
)
def knows_gpt2_alone():
    def attention_parameters(D):
        return 12 if D == 2 else 1_769_472

    def multi_head_parameters(D):
        return 2_359_296

    def dense_parameters(N, D):
        return 618_475_290_624

    return attention_parameters, multi_head_parameters, dense_parameters
