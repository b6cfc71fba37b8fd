import java.time.OffsetDateTime;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Uses the package that openapi-generator generates for Java, library native. */
public class UseNative {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE"));
    String token =
        new AuthApi(client)
            .tokenCreate("client_credentials", System.getenv("CLIENT_ID"), System.getenv("CLIENT_SECRET"), null)
            .getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    FlowsApi flows = new FlowsApi(client);
    PaymentsApi payments = new PaymentsApi(client);
    Long shopId = new ShopsApi(client).shopsCreate(new CreateShop().name("native")).getData().getId();
    RuleUse use = new RuleUse().addShopsItem(shopId).strategy(RuleStrategy.PRIORITY);
    AmountTest amount = new AmountTest().min(100.0).not(List.of(150, 200));
    CreateFlow create =
        new CreateFlow()
            .name("native")
            .strategy(Strategy.RULES)
            .addShopsItem(new FlowShop().shopId(shopId))
            .addRulesItem(new Rule().when(new Condition().amount(amount)).use(use))
            ._default(use);
    Flow flow = flows.flowsCreate(create).getData();
    CreatePayment body =
        new CreatePayment()
            .flowName("native")
            .amount(49.9)
            .currency("EUR")
            .customer(new CreateCustomer().email("ada@example.com"));
    Payment payment = payments.paymentsCreate(body, "native-1").getData();
    check(payment.getStatus() == PaymentStatus.COMPLETED, "status");
    check(payment.getAmount() == 49.9, "amount");
    check("ada@example.com".equals(payment.getCustomer().getEmail()), "customer");
    check(payment.getNextAction() == null, "next_action");
    check(payment.getCreatedAt().isAfter(OffsetDateTime.now().minusHours(1)), "created_at");
    PaymentPage page =
        payments.paymentsList(10L, flow.getId(), null, null, null, null, null, null, null, null, null);
    check(page.getData().size() == 1 && page.getData().get(0).getId().equals(payment.getId()), "list");
    try {
      payments.paymentsCreate(new CreatePayment().flowName("native").amount(1.0).currency("BGN"), null);
      check(false, "a withdrawn currency was accepted");
    } catch (ApiException error) {
      Problem problem = client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
      check(problem.getCode() == ProblemCode.VALIDATION_FAILED, "code");
      check("currency".equals(problem.getErrors().get(0).getField()), "errors");
    }
    String later = client.getObjectMapper().writeValueAsString(payment).replace("\"completed\"", "\"a_later_status\"");
    later = "{\"added_later\":1," + later.substring(1);
    check(client.getObjectMapper().readValue(later, Payment.class).getId().equals(payment.getId()), "added later");
  }

  static void check(boolean isSo, String what) {
    if (!isSo) throw new AssertionError(what);
  }
}
