import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import type { DeploymentCredential } from '../entities/deployment-credential.entity.js';

/** Credentials of clients for the broker. */
export type Credentials = Pick<DeploymentCredential, 'username' | 'password' | 'version'>;

interface StoredCredentials extends Credentials {
  next_password: string | null;
}

const FIND = statement(
  'credentials.find',
  'select username, password, version, next_password from deployment_credentials where deployment_id = $1',
);
// A repeated step keeps the prepared password, because nodes may already have it.
const PREPARE = statement(
  'credentials.prepare',
  'update deployment_credentials set next_password = $2 where deployment_id = $1 and next_password is null',
);
const REPLACE = statement(
  'credentials.replace',
  `update deployment_credentials set password = $2, version = version + 1, next_password = null
    where deployment_id = $1 and next_password is not null`,
);
const GIVE_NEXT = statement(
  'credentials.give_next',
  `update nodes n set credentials_version = c.version + 1 from deployment_credentials c
    where n.id = $1 and c.deployment_id = n.deployment_id and c.next_password is not null`,
);
const TAKE_BACK = statement(
  'credentials.take_back',
  `with dropped as (update deployment_credentials set next_password = null where deployment_id = $1 returning version)
   update nodes n set credentials_version = d.version from dropped d
    where n.deployment_id = $1 and n.credentials_version <> d.version returning n.id`,
);

export const passwordLocation = (row: number): SecretLocation => ({
  table: 'deployment_credentials',
  column: 'password',
  row,
});
export const nextPasswordLocation = (row: number): SecretLocation => ({
  table: 'deployment_credentials',
  column: 'next_password',
  row,
});

/** A random password of 24 bytes. */
export const freshPassword = (): string => randomBytes(24).toString('base64url');

/** Client credentials. Passwords are stored sealed. During a replacement each node has either the old or the next password. */
@Injectable()
export class CredentialsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** The credentials that all nodes accept, or accepted before a replacement started. */
  async find(deploymentId: DeploymentId): Promise<Credentials | null> {
    const [row] = await this.database.query<StoredCredentials>(FIND, [deploymentId]);
    if (!row) return null;
    const { username, version } = row;
    return { username, version, password: this.secrets.open(passwordLocation(deploymentId), row.password) };
  }

  /** Creates the next password, unless one exists already. */
  async prepareNext(deploymentId: DeploymentId): Promise<void> {
    const sealed = this.secrets.seal(nextPasswordLocation(deploymentId), freshPassword());
    await this.database.execute(PREPARE, [deploymentId, sealed]);
  }

  /** The next document of the node contains the next password. */
  async giveNext(nodeId: NodeId): Promise<void> {
    await this.database.execute(GIVE_NEXT, [nodeId]);
  }

  /** Makes the next password the current one, after every node has it. Deletes the old one. */
  async replace(deploymentId: DeploymentId): Promise<void> {
    const [row] = await this.database.query<StoredCredentials>(FIND, [deploymentId]);
    if (!row?.next_password) return;
    const next = this.secrets.open(nextPasswordLocation(deploymentId), row.next_password);
    await this.database.execute(REPLACE, [deploymentId, this.secrets.seal(passwordLocation(deploymentId), next)]);
  }

  /** Deletes the next password. Returns the nodes whose documents had it. */
  async takeBack(deploymentId: DeploymentId): Promise<NodeId[]> {
    return (await this.database.query<{ id: NodeId }>(TAKE_BACK, [deploymentId])).map(({ id }) => id);
  }
}
