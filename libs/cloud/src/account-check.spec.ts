import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CustomerAccount } from './customer-account.js';
import { checkLocally, MISSING_PERMISSIONS_FILE } from './account-check.js';

const AWS: CustomerAccount = {
  ...{ cloud: 'aws', region: 'us-east-1', account_id: '111122223333', external_id: 'ld-external' },
  ...{ identity_arn: 'arn:aws:iam::111122223333:role/landlord', vpc_id: 'vpc-0123456789abcdef0' },
};
const GCP: CustomerAccount = {
  ...{ cloud: 'gcp', region: 'us-east1', project_id: 'their-project', vpc_name: 'theirs', external_id: 'ld-external' },
  service_account_email: 'landlord@their-project.iam.gserviceaccount.com',
};

describe('a simulated account of the local cloud', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'landlord-account-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  const place = (text: string) => writeFile(join(dataDir, MISSING_PERMISSIONS_FILE), text);

  it.each([AWS, GCP])('is valid without a file of the operator: %j', async (account) => {
    expect(await checkLocally(account, dataDir)).toEqual({ error: null, missing_permissions: [] });
  });

  it.each([
    [{ ...AWS, account_id: '1' }, 'account_id must be'],
    [{ ...AWS, identity_arn: 'arn:aws:iam::999999999999:role/x' }, 'of account 999999999999, not of 111122223333'],
    [{ ...AWS, vpc_id: 'vpc-1' }, 'vpc_id must be'],
    [{ ...GCP, project_id: 'X' }, 'project_id must be'],
    [{ ...GCP, vpc_name: 'No Name' }, 'vpc_name must be'],
    [{ ...GCP, service_account_email: 'a@b.c' }, 'service_account_email must be'],
  ])('reports spelling errors, whatever the file contains: %j', async (account, error) => {
    await place(JSON.stringify({ '111122223333': ['ec2:RunInstances'] }));

    expect(await checkLocally(account, dataDir)).toEqual({
      error: expect.stringContaining(error),
      missing_permissions: [],
    });
  });

  it.each([
    [AWS, ['ec2:RunInstances']],
    [GCP, ['compute.instances.create', 'compute.disks.create']],
  ])("lacks the permissions in the operator's file, but none of another account: %j", async (account, names) => {
    const id = account.cloud === 'aws' ? account.account_id : account.project_id;
    await place(JSON.stringify({ [id]: names, '999999999999': ['ec2:CreateTags'] }));

    expect(await checkLocally(account, dataDir)).toEqual({ error: null, missing_permissions: names });
  });

  it.each(['not JSON', '[]', '5', 'null', '"x"', '{"111122223333": "ec2:RunInstances"}', '{"111122223333": [1]}'])(
    'is refused as invalid while the file is %s',
    async (text) => {
      await place(text);

      await expect(checkLocally(AWS, dataDir)).rejects.toMatchObject({
        ...{ name: 'CloudError', code: 'invalid' },
        message: expect.stringContaining(MISSING_PERMISSIONS_FILE),
      });
    },
  );
});
