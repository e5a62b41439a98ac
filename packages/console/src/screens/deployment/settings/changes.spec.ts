import { changeLine, changesOf, codeLine, deletionLine, deletionOf, protectionLine } from './changes.js';

const NOW = { name: 'orders', description: 'The shop' };

describe('Changes of a deployment', () => {
  it('have only the members that differ', () => {
    expect(changesOf(NOW, { name: ' orders ', description: 'The shop ' })).toEqual({});
    expect(changesOf(NOW, { ...NOW, name: 'shop' })).toEqual({ name: 'shop' });
    expect(changesOf(NOW, { ...NOW, description: '' })).toEqual({ description: '' });
  });

  it('have a line for the command line', () => {
    expect(changeLine(7, {})).toBe('landlord deployments update 7');
    expect(changeLine(7, { name: 'my shop', description: '' })).toBe(
      "landlord deployments update 7 --description '' --name 'my shop'",
    );
    expect(protectionLine(7, false)).toBe('landlord deployments update 7 --protected false');
  });
});

describe('The deletion of a deployment', () => {
  it('has a line for the command line, with the code when there is one', () => {
    expect(deletionLine(7, '')).toBe('landlord deployments delete 7 --wait');
    expect(deletionLine(7, '123456')).toBe('landlord deployments delete 7 --wait --code 123456');
  });

  it('names the deployment with its place for the code', () => {
    const action = deletionOf(1, { id: 4, division_id: 2, environment_id: 3 });

    expect(action).toEqual({
      action_type: 'delete_deployment',
      payload: { tenant_id: 1, division_id: 2, environment_id: 3, deployment_id: 4 },
    });
    expect(codeLine(action)).toBe(`landlord protection-codes request --action '${JSON.stringify(action)}'`);
  });
});
