import { shapeOf } from './find-shape.js';
import { masked, written } from './written.js';

describe('A request in the words of each client', () => {
  it('is a command, JSON and a resource', () => {
    const input = { name: "Ann's office", cidr_blocks: ['192.0.2.1/32', '192.0.2.2/32'], rules: { broker_tcp: true } };
    const { command, request, terraform } = written(shapeOf('accessRules.create'), 1, { deployment_id: 7 }, input);

    expect(command).toBe(
      "landlord rules create --name 'Ann'\\''s office' --cidr-blocks 192.0.2.1/32 192.0.2.2/32 --rules-broker-tcp --deployment 7",
    );
    expect(request).toBe(`POST /deployments/7/access_rules\n${JSON.stringify(input, null, 2)}`);
    expect(terraform).toMatch(/^resource "landlord_access_rule" "Ann_s_office" \{/);
    expect(terraform).toContain('cidr_blocks   = ["192.0.2.1/32", "192.0.2.2/32"]');
    expect(terraform).toContain('rules         = {\n    broker_tcp = true\n  }');
  });

  it('gives an object as one option where the command takes JSON, and what is emptied as a body', () => {
    const input = { tax_id: null, address: { line_1: 'Way 1', city: 'Ulm' } };
    const { command, terraform } = written(shapeOf('billing.setInfo'), 1, {}, input);

    expect(command).toBe(
      `landlord billing set-info --address '{"line_1":"Way 1","city":"Ulm"}' --body '{"tax_id":null}'`,
    );
    expect(terraform).toBeNull();
  });

  it('has the ids of a deletion as arguments, and needs no answer from a terminal', () => {
    const ids = { division_id: 2, environment_id: 3, deployment_id: 4 };
    const { command, request } = written(shapeOf('deployments.delete'), 1, ids, { code: '12' });

    expect(command).toBe('landlord deployments delete 4 --code 12 --environment 3 --wait --yes');
    expect(request).toBe('DELETE /tenants/1/divisions/2/environments/3/deployments/4?code=12');
  });

  it('has the names of Terraform where the API has others', () => {
    const starter = { cloud: 'aws', region: 'us-east-1', deployment_name: 'first' };
    const { terraform } = written(shapeOf('deployments.createStarter'), 1, { division_id: 2 }, starter);

    expect(terraform).toMatch(/^resource "landlord_starter_deployment" "first" \{[^]* name +.*"first"/);
    expect(terraform).not.toContain('deployment_name');
  });

  it('shows no secret', () => {
    const all = written(shapeOf('sessions.signIn'), 1, {}, { email: 'a@b.example', password: 'open sesame' });

    expect(JSON.stringify(all)).not.toContain('sesame');
  });

  it('shows no secret inside of an object, and everything beside the secret', () => {
    const secret = { member: 'values.http.token', option: 'values', kind: 'text', text: '', secret: true } as const;
    const input = { values: { http: { token: 'open sesame', port: 80 }, hosts: ['a'] } };

    expect(masked([secret], input)).toEqual({ values: { http: { token: '********', port: 80 }, hosts: ['a'] } });
  });
});
