import io
import json

import networkx as nx
import pytest

from mlapath.report.graph_formats import FORMATS, render_graph
from support import graph_samples as samples
from support.golden import check_golden
from support.schemas import validate_output

SUFFIXES = {"json": "json", "graphml": "xml", "dot": "dot", "mermaid": "mmd"}


@pytest.mark.parametrize("sample", ["report", "refused"])
@pytest.mark.parametrize("name", FORMATS)
def test_golden(sample, name):
    check_golden(f"report/graph.{sample}.{SUFFIXES[name]}",
                 render_graph(getattr(samples, sample)(), name))  # fmt: skip


@pytest.mark.parametrize("sample", ["report", "refused"])
def test_json_is_as_the_schema_says(sample):
    validate_output(json.loads(render_graph(getattr(samples, sample)(), "json")))


def test_networkx_reads_both_of_its_formats_back():
    first = json.loads(render_graph(samples.report(), "json"))["graphs"][0]
    for graph in (
        nx.node_link_graph(first, edges="edges"),
        nx.read_graphml(io.BytesIO(render_graph(samples.report(), "graphml").encode())),
    ):
        assert nx.has_path(graph, "<entry>", "m.I.forward_mqa")
        assert graph.nodes["m.I.forward_mha"]["verdict"] == "never"
        guard = samples.GUARDS[0].id
        assert graph.nodes[guard]["text"] == samples.GUARDS[0].text


def test_graphs_of_one_graphml_do_not_share_nodes():
    both = nx.read_graphml(io.BytesIO(render_graph(samples.refused(), "graphml").encode()))
    assert "0:p.f" in both
    assert "1:<entry>" in both
    assert nx.number_weakly_connected_components(both) == 2


def test_what_the_formats_read_as_their_own_is_escaped():
    mermaid = render_graph(samples.report(), "mermaid")
    assert "kind == 'a#quot;#lt;b#gt;#35;" in mermaid
    assert "kind == 'a\\\"<b>#\\\\'" in render_graph(samples.report(), "dot")
