"""Wrong answers to q01: the formula."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake

Q = "q01_simple_attention"


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="The softmax runs over the tokens that ask instead of those that are compared with.",
    hint="Say for one token what it shares out: its unit of attention goes to all tokens, along one row of alpha.",
    source="https://github.com/nerminnuraydogan/vision-transformer/issues/1",
)
def normalises_the_columns():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T, dim=0)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The inner products are divided by sqrt(D), which comes only with queries and keys.",
    hint="Compare the exponent with eq. 12.5: this first form of attention has no scale yet.",
)
def scales_by_the_root_of_d():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T / X.shape[1] ** 0.5, dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="The raw inner products are taken for weights.",
    hint="Inner products may be negative and sum to anything. What turns a row of numbers into weights?",
)
def forgets_the_softmax():
    def simple_attention(X):
        alpha = X @ X.T
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="Inner products are divided by their row's sum without the exponential.",
    hint="A row that sums to 1 is not enough: eq. 12.5 makes every weight positive first.",
)
def divides_by_the_sum_without_exp():
    def simple_attention(X):
        scores = X @ X.T
        alpha = scores / scores.sum(dim=1, keepdim=True)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="One sum over all pairs of tokens normalises the whole matrix.",
    hint="Each token has one unit of attention of its own. How many units does your alpha hold in all?",
    source="https://github.com/deeplearning4j/nd4j/issues/44",
)
def normalises_the_whole_matrix():
    def simple_attention(X):
        scores = X @ X.T
        alpha = torch.exp(scores - scores.max())
        alpha = alpha / alpha.sum()
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="Features are compared with features instead of tokens with tokens.",
    hint="X has one row per token. Which product of X with itself has one entry per pair of tokens?",
)
def compares_features_instead_of_tokens():
    def simple_attention(X):
        alpha = torch.softmax(X.T @ X, dim=1)
        return X @ alpha, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="Tokens are brought to length 1 before they are compared.",
    hint="Eq. 12.5 has plain inner products in the exponent; a long token attends more sharply than a short one.",
)
def compares_by_cosine():
    def simple_attention(X):
        unit = torch.nn.functional.normalize(X, dim=1)
        alpha = torch.softmax(unit @ unit.T, dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="A token is kept from attending to itself.",
    hint="The sums of eq. 12.5 and 12.6 run over all tokens, the asking one included.",
)
def leaves_the_token_itself_out():
    def simple_attention(X):
        scores = X @ X.T
        scores = scores.masked_fill(torch.eye(len(X), dtype=torch.bool), -1e9)
        alpha = torch.softmax(scores, dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="a_new_order_of_the_tokens_reorders_the_result",
    cause="Later tokens are masked, as a language model would do.",
    hint="Which tokens may a token look at in eq. 12.5? Nothing there knows which token comes first.",
)
def hides_later_tokens():
    def simple_attention(X):
        later = torch.ones(len(X), len(X)).triu(1).bool()
        alpha = torch.softmax((X @ X.T).masked_fill(later, float("-inf")), dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The average runs over the wrong index of alpha.",
    hint="In eq. 12.6 token n averages with the weights of row n. Which index of alpha does your product sum over?",
)
def averages_down_the_columns():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T, dim=1)
        return alpha.T @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The loop over tokens runs over the features instead.",
    hint="Which of the two sizes of X counts the tokens, and how many rows should alpha have?",
)
def counts_features_for_tokens():
    def simple_attention(X):
        alpha = torch.stack([torch.softmax(X @ X[n], dim=0) for n in range(X.shape[1])])
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The scores of the tokens with themselves are subtracted along the wrong axis: each column loses its own.",
    hint="The softmax of a row stays the same when one number is subtracted from the whole row. Does yours lose one?",
)
def subtracts_another_number_from_each_column():
    def simple_attention(X):
        scores = X @ X.T
        alpha = torch.softmax(scores - scores.diagonal(), dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The tokens are added to their averages, which is the layer's task.",
    hint="The residual connection comes with the transformer layer; eq. 12.6 is the average alone.",
)
def adds_the_tokens():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T, dim=1)
        return X + alpha @ X, alpha

    return simple_attention
