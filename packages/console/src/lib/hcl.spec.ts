import { resource } from './hcl.js';

describe('A block for Terraform', () => {
  it('has the values that are given, with aligned signs', () => {
    const block = resource('landlord_starter_deployment', 'first', { cloud: 'aws', division_id: 7, name: undefined });

    expect(block).toBe('resource "landlord_starter_deployment" "first" {\n  cloud       = "aws"\n  division_id = 7\n}');
  });

  it('takes no name as a template or as code', () => {
    const block = resource('landlord_starter_deployment', '1"} ${x}', { name: 'a ${var.secret} %{ if true } "' });

    expect(block).toBe(
      'resource "landlord_starter_deployment" "_1_____x_" {\n  name = "a $${var.secret} %%{ if true } \\""\n}',
    );
  });
});
