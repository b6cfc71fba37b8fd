"""Uses the package that openapi-generator generates for Python."""

import os
from datetime import datetime

import openapi_client as api

configuration = api.Configuration(host=os.environ["BASE"])
with api.ApiClient(configuration) as client:
    token = api.AuthApi(client).token_create(
        grant_type="client_credentials",
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
    )
    configuration.access_token = token.access_token
    shop = api.ShopsApi(client).shops_create(api.CreateShop(name="python")).data
    amount = api.AmountTest.from_dict({"min": 100, "not": [150, 200]})
    rule = api.Rule(
        when=api.Condition(amount=amount),
        use=api.RuleUse(shops=[shop.id], strategy=api.RuleStrategy.PRIORITY),
    )
    flow = api.FlowsApi(client).flows_create(
        api.CreateFlow(
            name="python",
            strategy=api.Strategy.RULES,
            shops=[api.FlowShop(shop_id=shop.id)],
            rules=[rule],
            default=api.RuleUse(shops=[shop.id], strategy=api.RuleStrategy.PRIORITY),
        )
    ).data
    payments = api.PaymentsApi(client)
    customer = api.CreateCustomer(email="ada@example.com", phone=None)
    metadata = {"order_id": "python-1"}
    body = api.CreatePayment(flow_name="python", amount=49.9, currency="EUR", customer=customer, metadata=metadata)
    payment = payments.payments_create(body, idempotency_key="python-1").data
    assert payment.status == api.PaymentStatus.COMPLETED, payment.status
    assert payment.amount == 49.9 and payment.customer.email == "ada@example.com"
    assert payment.next_action is None and isinstance(payment.created_at, datetime)
    page = payments.payments_list(flow_id=flow.id, limit=10)
    assert [each.id for each in page.data] == [payment.id] and not page.pagination.has_more
    found = payments.payments_list(metadata='{"order_id":"python-1"}', status="completed,refunded").data
    assert [each.id for each in found] == [payment.id]
    request = api.SimulateFlow(flow_name="python", amount=120, explain=True)
    simulation = api.FlowsApi(client).flow_simulation_simulate(request).actual_instance
    assert simulation.data.result.primary_shop.shop_id == shop.id
    try:
        payments.payments_create(api.CreatePayment(flow_name="python", amount=1, currency="BGN"))
        raise AssertionError("a withdrawn currency was accepted")
    except api.ApiException as error:
        problem = api.Problem.from_json(error.body)
        assert problem.code == api.ProblemCode.VALIDATION_FAILED
        assert problem.errors[0].var_field == "currency"
    more = {**payment.to_dict(), "added_later": 1}
    assert api.Payment.from_dict(more).id == payment.id
