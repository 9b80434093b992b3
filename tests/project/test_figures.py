"""Every figure can be read by those who see no colours, on a page that cannot draw it, and by ear."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch
from project.test_given import draw_all

from given.broken import (
    forget_positions,
    measure_order,
    replace_layers,
    with_post_norm,
    without_residuals,
    without_root,
)
from given.figures import averaging, positions, scaling
from given.figures.broken import draw_training
from given.figures.show import INTERACTIVE, bundle
from given.figures.style import WIDTH
from given.figures.vit import draw_looks
from given.words import RIVER, embed_words
from solutions.q01_simple_attention import simple_attention
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q07_sinusoidal import sinusoidal_encoding
from solutions.q11_patchify import patchify
from solutions.q12_vit import TinyViT

FIGURES = draw_all() | {"training": draw_training({"one": [2.0, 1.0], "other": [2.0, 1.5], "third": [2.0, 1.9]}, 1.6)}
SVG = "{http://www.w3.org/2000/svg}"

# What a person without long (protan) or middle (deutan) cones sees, on linear RGB: Machado et al. 2009, severity 1
BLINDNESS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}
APART = 0.12  # in OKLab, where black and white are 1 apart; gold and red come to 0.07


def read_rgb(colour: str) -> Any:
    channels = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)  # the sRGB standard


def to_oklab(rgb: Any) -> Any:
    """Linear RGB in Ottosson's perceptual space of 2020."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return lab @ np.cbrt(cones @ rgb.clip(0))


def list_colours(figure: go.Figure) -> set[str]:
    colours = {trace.line.color or trace.marker.color for trace in figure.data if trace.type == "scatter"}
    return {colour for colour in colours | {t.marker.color for t in figure.data if t.type == "bar"} if colour}


def list_dashes(figure: go.Figure) -> dict[str, str]:
    return {t.line.color: t.line.dash or "solid" for t in figure.data if t.type == "scatter" and t.line.color}


@pytest.mark.parametrize("name", FIGURES)
def test_colours_in_one_figure_are_told_apart_by_the_colour_blind(name: str) -> None:
    dashes = list_dashes(FIGURES[name])
    for one, other in combinations(sorted(list_colours(FIGURES[name])), 2):
        if dashes.get(one) != dashes.get(other):
            continue
        for kind, matrix in BLINDNESS.items():
            seen = [to_oklab(np.array(matrix) @ read_rgb(colour)) for colour in (one, other)]
            assert np.linalg.norm(seen[0] - seen[1]) > APART, (name, kind, one, other)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_comes_with_a_still_picture_and_words(name: str) -> None:
    forms = bundle(FIGURES[name])
    assert set(forms) == {INTERACTIVE, "image/svg+xml", "text/plain"}
    picture = ET.fromstring(str(forms["image/svg+xml"]))
    description = picture.find(f"{SVG}desc")
    assert description is not None
    assert description.text == forms["text/plain"]
    assert str(forms["text/plain"]).startswith(f"Figure: {picture.findtext(f'{SVG}title')}")
    assert len(str(forms["image/svg+xml"])) < 200_000, "a notebook stays small"


@pytest.mark.parametrize("name", FIGURES)
def test_a_still_picture_has_a_mark_for_every_trace_and_nothing_outside_the_page(name: str) -> None:
    figure = FIGURES[name]
    picture = ET.fromstring(str(bundle(figure)["image/svg+xml"]))
    kinds = [trace.type for trace in figure.data]
    assert len(picture.findall(f"{SVG}image")) == kinds.count("heatmap")
    lines = [trace for trace in figure.data if trace.type == "scatter" and "lines" in (trace.mode or "lines")]
    assert len(picture.findall(f"{SVG}polyline")) == len(lines)
    bars = sum(len(trace.x) for trace in figure.data if trace.type == "bar")
    assert len([r for r in picture.findall(f"{SVG}rect") if r.get("fill", "").startswith("#")]) >= bars
    points = [pair.split(",") for line in picture.iter(f"{SVG}polyline") for pair in line.get("points", "").split()]
    points += [(circle.get("cx"), circle.get("cy")) for circle in picture.iter(f"{SVG}circle")]  # type: ignore[misc]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= figure.layout.height for x, y in points)


def test_words_name_the_word_that_bank_listens_to() -> None:
    alpha = simple_attention(embed_words(RIVER))[1]
    assert (
        "in the last row, besides itself, most on “river”"
        in bundle(averaging.draw_weights([RIVER], [alpha]))["text/plain"]
    )  # type: ignore[operator]


def test_words_say_that_inner_products_are_the_same_along_diagonals() -> None:
    r = sinusoidal_encoding(50, 20, 30.0)
    figure = positions.draw_offsets(r @ r.T, torch.zeros(99), "Inner products", "r · r")
    assert "the same along each diagonal" in str(bundle(figure)["text/plain"])
    assert "the same along each diagonal" not in str(bundle(positions.draw_encoding(r[:20]))["text/plain"])


def test_words_tell_the_ends_of_a_curve() -> None:
    rows = [scaling.Scaling(D_k, 0.0, float(D_k), 0.5, 0.1) for D_k in (2, 64, 1024)]
    assert "unscaled: 2 at 2, 1.02e+03 at 1024" in str(bundle(scaling.draw_scaling(rows))["text/plain"])


def test_a_heat_map_stands_upright_in_its_still_picture() -> None:
    """The first row of the weights is on top, as in Plotly's."""
    alpha = torch.zeros(11, 11)
    alpha[0, 10] = 1.0
    picture = str(bundle(averaging.draw_weights([RIVER], [alpha]))["image/svg+xml"])
    found = re.search(r"<text x='([\d.]+)' y='([\d.]+)'[^>]*>1\.00<", picture)
    assert found
    frame = re.search(r"<image x='([\d.]+)' y='([\d.]+)' width='([\d.]+)'", picture)
    assert frame
    left, top, width = map(float, frame.groups())
    assert float(found[1]) > left + 0.9 * width
    assert float(found[2]) < top + 0.1 * width


def test_a_layer_without_residuals_passes_on_the_parts_alone() -> None:
    torch.manual_seed(0)
    layer = without_residuals(TransformerLayer)(8, 2)
    X = torch.randn(2, 5, 8)
    normed = layer.norm1(X)
    Z = torch.nn.functional.multi_head_attention_forward  # the same weights, without hooks
    plain = TransformerLayer(8, 2)
    plain.load_state_dict(layer.state_dict())
    attended = plain.attn(normed, normed, normed)[0]
    del Z
    torch.testing.assert_close(layer(X), plain.mlp(plain.norm2(attended)))


def test_a_layer_without_the_root_has_longer_scores() -> None:
    torch.manual_seed(0)
    layer, plain = without_root(TransformerLayer)(8, 2), TransformerLayer(8, 2)
    state = {name: torch.zeros_like(value) if "bias" in name else value for name, value in layer.state_dict().items()}
    layer.load_state_dict(state)
    longer = state["attn.in_proj_weight"].clone()
    longer[:8] *= 2  # the root of D_k = 8 / 2
    plain.load_state_dict(state | {"attn.in_proj_weight": longer})
    X = torch.randn(2, 5, 8)
    torch.testing.assert_close(layer(X), plain(X))


def test_only_positions_tell_a_broken_layer_the_order() -> None:
    torch.manual_seed(0)
    X, r, order = torch.randn(8, 16), 0.5 * torch.randn(8, 16), [0, 1, 2, 5, 4, 3, 6, 7]
    for build in (TransformerLayer, with_post_norm(TransformerLayer), without_residuals(TransformerLayer)):
        without, with_positions = measure_order(build(16, 4), X, order, r)
        assert without < 1e-5
        assert with_positions > 0.1


def test_a_vision_transformer_without_positions_sees_a_bag_of_patches() -> None:
    torch.manual_seed(0)
    images = torch.rand(2, 8, 8)
    turned = images.roll(2, dims=2)  # whole patches change places
    for model, blind in ((TinyViT(), False), (forget_positions(TinyViT()), True)):
        with torch.no_grad():
            difference = (model(images) - model(turned)).abs().max()
        assert (difference < 1e-5) == blind
    model = replace_layers(TinyViT(), with_post_norm(TransformerLayer))
    assert [layer.pre_norm for layer in model.layers] == [False, False]  # type: ignore[union-attr]


def test_weights_are_drawn_where_their_patches_stand_in_whatever_order_they_come() -> None:
    order = torch.tensor([4, 0, 7, 2, 8, 1, 3, 6, 5])
    images, label, weights = torch.rand(1, 6, 6), torch.zeros(1), torch.rand(1, 9)
    one = draw_looks(images, label, label, weights, patchify, P=2)
    other = draw_looks(images, label, label, weights[:, order], lambda *cut: patchify(*cut)[:, order], P=2)
    assert np.array_equal(one.data[1].z, other.data[1].z)
    row = int(np.argmax(one.data[1].z)) // 3
    first = int(patchify(torch.arange(36).reshape(1, 6, 6), 2)[0, weights.argmax()].min())
    assert row == first // 6 // 2
