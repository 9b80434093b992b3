"""q05: how many parameters attention needs, and a dense layer in its place."""


def attention_parameters(D: int) -> int:
    """Weights of one attention head with D_k = D_v = D.

    The matrices of the queries, of the keys and of the values, without biases.

    Args:
        D: features per token.

    Returns:
        The number of weights, an exact int.

    Source: Bishop & Bishop, section 12.1.
    """
    # BEGIN SOLUTION
    return 3 * D**2
    # END SOLUTION


def multi_head_parameters(D: int) -> int:
    """Weights of multi-head attention whose H heads share the D features, D_k = D_v = D / H.

    All queries, keys and values of all heads and the output matrix W_o, without biases. H cancels.

    Args:
        D: features per token.

    Returns:
        The number of weights, an exact int.

    Source: Bishop & Bishop, section 12.1.
    """
    # BEGIN SOLUTION
    return 4 * D**2
    # END SOLUTION


def dense_parameters(N: int, D: int) -> int:
    """Weights of one fully connected layer from all N x D numbers of a text to N x D new ones.

    Args:
        N: tokens.
        D: features per token.

    Returns:
        The number of weights without biases, an exact int (it soon outgrows every fixed-width integer).

    Source: Bishop & Bishop, section 12.1.
    """
    # BEGIN SOLUTION
    return N**2 * D**2
    # END SOLUTION
