import { Customer } from './customer.mjs';

const US = { cloud: 'aws', region: 'us-east-1' };
const EU = { cloud: 'aws', region: 'eu-central-1' };
/** A region of the catalog that no Supervisor of regions.yml serves. */
const UNSERVED = { cloud: 'aws', region: 'us-west-2' };
const REQUESTS = 50;

/** What a customer does on compose.yml. */
export async function oneMachine(composition, expect) {
  const customer = firstCustomer(composition, 'main-api', expect);
  await useRegion(customer, US, expect);
  const issue = ['landlord', 'ops', 'keys', 'issue', '--tenant', String(customer.tenant_id)];
  const issued = composition.runOnce('migrate', ...issue);
  expect('an operator command runs in the container of the migration', /^ld_/m.test(issued), issued);
}

/** What a customer does on regions.yml while parts die and start again. */
export async function twoRegions(composition, expect) {
  const customer = firstCustomer(composition, 'main-api-1', expect);
  const refused = await customer.create(UNSERVED).catch(({ message }) => message);
  expect('a region without a Supervisor is refused', /503.*provider_unavailable/.test(refused), refused);

  await useRegion(customer, EU, expect);
  await useRegion(customer, US, expect, async (deployment, text) => {
    await killMainApi(composition, customer, expect);
    composition.restart('gateway-us');
    composition.restart('worker-us');
    expect('the broker has its message after its Supervisor', (await customer.read(deployment)) === text);
    for (const name of ['gateway-us', 'worker-us']) await composition.becomesHealthy(name);
  });
}

function firstCustomer(composition, service, expect) {
  const customer = new Customer(composition.exec(service, 'cat', '/data/bootstrap.json'));
  expect(`${composition.name} has a first key`, /^ld_/.test(customer.api_key));
  return customer;
}

async function useRegion(customer, place, expect, inBetween = async () => {}) {
  const text = `Hello from ${place.region}`;
  const deployment = await customer.create(place);
  const read = await customer.exchange(deployment, text);
  expect(`a deployment in ${place.region} passes a message on`, read === text, read);
  await inBetween(deployment, text);
  await customer.delete(deployment);
  const left = [await customer.status(deployment.main), await customer.status(deployment.live)];
  expect(`the deployment in ${place.region} is deleted`, left.join() === '404,404', left.join());
}

async function killMainApi(composition, customer, expect) {
  composition.kill('main-api-1');
  const statuses = [];
  for (let count = 0; count < REQUESTS; count += 1) statuses.push(await customer.status(customer.tenant));
  const others = statuses.filter((status) => status !== 200);
  expect('the balancer answers without the killed main API', others.length === 0, others.join(' '));
  composition.startAgain('main-api-1');
  await composition.becomesHealthy('main-api-1');
}
