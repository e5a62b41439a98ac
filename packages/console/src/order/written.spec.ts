import { orderOf, type Choices } from './order.js';
import { written } from './written.js';

const PLACE = { division: { id: 2, name: 'Default' }, environment: { id: 3, name: "Ann's tests" } };
const CHOICES: Choices = {
  ...{ name: ' orders ', environment: '3', cloud: 'gcp', region: 'us-central1' },
  ...{ tier: 'large', terms: 'performance', zones: 'multi_az' },
};

describe('An order in other words', () => {
  it('of a Free deployment has no size', () => {
    const { command, request, terraform } = written(1, PLACE, orderOf('free', { ...CHOICES, name: ' ' }, PLACE));

    expect(command).toBe(
      "landlord deployments create --starter --wait --cloud gcp --region us-central1 --division Default --environment 'Ann'\\''s tests'",
    );
    expect(request).toMatch(/^POST \/tenants\/1\/divisions\/2\/deployments\/starter\n/);
    expect(JSON.parse(request.split('\n').slice(1).join('\n'))).toEqual({
      ...{ cloud: 'gcp', region: 'us-central1', environment_id: 3 },
    });
    expect(terraform).toMatch(/^resource "landlord_starter_deployment" "broker" \{\n {2}division_id {4}= 2\n/);
  });

  it('of a managed deployment has every choice', () => {
    const { command, request, terraform } = written(1, PLACE, orderOf('managed', CHOICES, PLACE));

    expect(command).toMatch(
      /^landlord deployments create-managed --wait --name orders .* --tier large --managed-tier performance --cluster cluster --availability-mode multi_az /,
    );
    expect(JSON.parse(request.split('\n').slice(1).join('\n'))).toEqual({
      ...{ cloud: 'gcp', region: 'us-central1', tier: 'large', managed_tier: 'performance' },
      ...{ availability_mode: 'multi_az', name: 'orders', cluster: 'cluster' },
    });
    expect(terraform).toMatch(/^resource "landlord_deployment" "orders" \{[^]*availability_mode = "multi_az"\n\}$/);
  });
});
