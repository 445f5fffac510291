"""Removes a team from Weaviate: its passages in every collection of ours, and the questions it asked."""

import weaviate
from weaviate.classes.tenants import Tenant

from retrieval.providers.weaviate_failures import failures
from retrieval.providers.weaviate_schema import ALIAS, tenant_name

QUESTIONS = "Questions"
_OURS = (f"{ALIAS}_", f"{QUESTIONS}_")


def forget_team(client: weaviate.WeaviateClient, team: str) -> None:
    """Empty the team's tenant wherever it has one. Raises Transient."""
    name = tenant_name(team)
    with failures("forgetting a team"):
        for collection in client.collections.list_all(simple=True):
            if collection.startswith(_OURS):
                tenants = client.collections.use(collection).tenants
                if tenants.exists(name):
                    tenants.remove([name])
                    # Made anew, because running processes remember that it is there.
                    tenants.create([Tenant(name=name)])
