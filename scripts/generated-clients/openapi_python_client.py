"""Uses the package that openapi-python-client generates."""

import os
from datetime import datetime

from payment_orchestrator_client import AuthenticatedClient, Client
from payment_orchestrator_client.api.auth import token_create
from payment_orchestrator_client.api.flows import flows_create, flow_simulation_simulate
from payment_orchestrator_client.api.payments import payments_create, payments_list
from payment_orchestrator_client.api.shops import shops_create
from payment_orchestrator_client.models import (
    CreateCustomer,
    CreateFlow,
    CreatePayment,
    CreatePaymentMetadata,
    CreateShop,
    FlowShop,
    Payment,
    PaymentStatus,
    Problem,
    SimulateFlow,
    Strategy,
    TokenRequest,
    TokenRequestGrantType,
)

base = os.environ["BASE"]
grant = TokenRequest(TokenRequestGrantType.CLIENT_CREDENTIALS, os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
token = token_create.sync(client=Client(base_url=base), body=grant)
client = AuthenticatedClient(base_url=base, token=token.access_token)
shop = shops_create.sync(client=client, body=CreateShop(name="attrs")).data
shops = [FlowShop(shop_id=shop.id)]
flow = flows_create.sync(client=client, body=CreateFlow(name="attrs", strategy=Strategy.ROUND_ROBIN, shops=shops)).data
customer = CreateCustomer(email="ada@example.com")
metadata = CreatePaymentMetadata.from_dict({"order_id": "attrs-1"})
body = CreatePayment(flow_name="attrs", amount=49.9, currency="EUR", customer=customer, metadata=metadata)
payment = payments_create.sync(client=client, body=body, idempotency_key="attrs-1").data
assert payment.status == PaymentStatus.COMPLETED, payment.status
assert payment.amount == 49.9 and payment.customer.email == "ada@example.com"
assert payment.next_action is None and isinstance(payment.created_at, datetime)
page = payments_list.sync(client=client, flow_id=flow.id, limit=10)
assert [each.id for each in page.data] == [payment.id] and not page.pagination.has_more
found = payments_list.sync(client=client, metadata='{"order_id":"attrs-1"}').data
assert [each.id for each in found] == [payment.id]
simulation = flow_simulation_simulate.sync(client=client, body=SimulateFlow(flow_name="attrs", explain=True))
assert simulation.data.result.primary_shop.shop_id == shop.id
problem = payments_create.sync(client=client, body=CreatePayment(flow_name="attrs", amount=1, currency="BGN"))
assert isinstance(problem, Problem) and problem.errors[0].field == "currency"
assert Payment.from_dict({**payment.to_dict(), "added_later": 1}).id == payment.id
