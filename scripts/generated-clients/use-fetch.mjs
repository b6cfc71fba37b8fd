// Uses the package that openapi-generator generates for TypeScript (typescript-fetch).
import api from './out/index.js';

function check(isSo, what) {
  if (!isSo) throw new Error(what);
}

async function use(basePath) {
  const { access_token: accessToken } = await new api.AuthApi(new api.Configuration({ basePath })).tokenCreate({
    grantType: 'client_credentials',
    clientId: process.env.CLIENT_ID,
    clientSecret: process.env.CLIENT_SECRET,
  });
  // called for both security schemes of an operation; oauth2 comes last, and its result is used as the whole header
  const bearer = (scheme) => (scheme === 'oauth2' ? `Bearer ${accessToken}` : accessToken);
  const configuration = new api.Configuration({ basePath, accessToken: bearer });
  const [shops, flows] = [new api.ShopsApi(configuration), new api.FlowsApi(configuration)];
  const payments = new api.PaymentsApi(configuration);
  const { data: shop } = await shops.shopsCreate({ createShop: { name: 'fetch' } });
  const createFlow = { name: 'fetch', strategy: 'round_robin', shops: [{ shop_id: shop.id }] };
  const { data: flow } = await flows.flowsCreate({ createFlow });
  const createPayment = { flow_name: 'fetch', amount: 49.9, currency: 'EUR', customer: { email: 'ada@example.com' } };
  const { data: payment } = await payments.paymentsCreate({ createPayment, idempotencyKey: 'fetch-1' });
  check(payment.status === 'completed' && payment.amount === 49.9, 'payment');
  check(payment.customer?.email === 'ada@example.com' && payment.next_action === null, 'customer');
  check(payment.created_at instanceof Date, 'created_at');
  const { data } = await payments.paymentsList({ flowId: flow.id, limit: 10 });
  check(data.length === 1 && data[0]?.id === payment.id, 'list');
  const refused = payments.paymentsCreate({ createPayment: { ...createPayment, currency: 'BGN' } });
  const error = await refused.catch((reason) => reason);
  check(error instanceof api.ResponseError, 'error');
  const problem = api.ProblemFromJSON(await error.response.json());
  check(problem.code === 'validation_failed' && problem.errors?.[0]?.field === 'currency', 'problem');
}

await use(process.env.BASE);
