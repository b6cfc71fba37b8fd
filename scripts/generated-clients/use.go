// Uses the package that openapi-generator generates for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	api "example.com/acme/payments"
)

func check(ok bool, what string) {
	if !ok {
		log.Fatal(what)
	}
}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := api.NewAPIClient(configuration)
	ctx := context.Background()
	token := must(client.AuthAPI.TokenCreate(ctx).GrantType("client_credentials").
		ClientId(os.Getenv("CLIENT_ID")).ClientSecret(os.Getenv("CLIENT_SECRET")).Execute())
	ctx = context.WithValue(ctx, api.ContextAccessToken, token.AccessToken)
	shop := must(client.ShopsAPI.ShopsCreate(ctx).CreateShop(*api.NewCreateShop("go")).Execute()).Data

	amount := api.NewAmountTest()
	amount.SetMin(100)
	amount.Not = []float64{150, 200}
	when := api.NewCondition()
	when.SetAmount(*amount)
	use := api.NewRuleUse([]int64{shop.Id}, api.RULESTRATEGY_PRIORITY)
	create := api.NewCreateFlow(api.STRATEGY_RULES, "go", []api.FlowShop{*api.NewFlowShop(shop.Id)})
	create.Rules = []api.Rule{*api.NewRule(*when, *use)}
	create.SetDefault(*use)
	flow := must(client.FlowsAPI.FlowsCreate(ctx).CreateFlow(*create).Execute()).Data

	body := api.NewCreatePayment(49.9, "EUR", "go")
	customer := api.NewCreateCustomer()
	customer.SetEmail("ada@example.com")
	body.SetCustomer(*customer)
	payment := must(client.PaymentsAPI.PaymentsCreate(ctx).CreatePayment(*body).IdempotencyKey("go-1").Execute()).Data
	check(payment.Status == api.PAYMENTSTATUS_COMPLETED, "status")
	check(payment.Amount == 49.9, "amount")
	check(payment.Customer.Get().GetEmail() == "ada@example.com", "customer")
	check(payment.NextAction.Get() == nil, "next_action")
	check(time.Since(payment.CreatedAt) < time.Hour, "created_at")
	page := must(client.PaymentsAPI.PaymentsList(ctx).FlowId(flow.Id).Limit(10).Execute())
	check(len(page.Data) == 1 && page.Data[0].Id == payment.Id && !page.Pagination.HasMore, "list")
	request := api.NewSimulateFlow("go")
	request.SetAmount(120)
	simulation := must(client.FlowsAPI.FlowSimulationSimulate(ctx).SimulateFlow(*request).Execute())
	check(simulation.SimulationResponseOneOf.Data.Result.PrimaryShop.Get().ShopId == shop.Id, "simulation")

	_, _, err := client.PaymentsAPI.PaymentsCreate(ctx).CreatePayment(*api.NewCreatePayment(1, "BGN", "go")).Execute()
	var failure *api.GenericOpenAPIError
	check(errors.As(err, &failure), "error")
	var problem api.Problem
	check(json.Unmarshal(failure.Body(), &problem) == nil, "problem")
	check(problem.Code == api.PROBLEMCODE_VALIDATION_FAILED && problem.Errors[0].Field == "currency", "errors")

	text, _ := json.Marshal(payment)
	later := `{"added_later":1,` + string(text)[1:]
	check(json.Unmarshal([]byte(later), &payment) == nil, "a field that was added later")
}
