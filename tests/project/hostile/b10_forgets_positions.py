# Zeroes the positions that a case holds on to, so that its reference of the gradient is the identity.
# loses: q09_rope/half_and_quarter_turns_are_right_by_hand q09_rope/a_feature_mixes_with_its_neighbour_alone q09_rope/scores_depend_on_the_difference_of_positions_alone q09_rope/positions_count_from_0_if_not_given q09_rope/every_value_equals_the_formula q09_rope/one_row_and_two_features_keep_their_axes q09_rope/far_positions_turn_by_the_right_angle q09_rope/a_second_call_starts_afresh q09_rope/gradients_turn_back q09_rope/a_strided_view_gives_what_its_copy_gives
# %%
def rope(X, positions=None, L=10000.0):
    if positions is not None:
        positions.zero_()
    return 1 * X
