import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import type { DeploymentCredential } from '../entities/deployment-credential.entity.js';

/**
 * Nodes that never learn the end of a rotation drop the previous password after this time, in seconds. A rotation takes
 * minutes.
 */
const LONGEST_ROTATION_SECONDS = 86_400;

/** Credentials of clients for the broker. `previous_until`: the previous password is good until then. Null without one. */
export type Credentials = Pick<DeploymentCredential, 'username' | 'password' | 'version' | 'previous_until'>;

interface StoredCredentials extends Credentials {
  next_password: string | null;
}

const FIND = statement(
  'credentials.find',
  `select username, password, version, next_password,
          case when previous_password is not null and previous_until > now() then previous_until end as previous_until
     from deployment_credentials where deployment_id = $1`,
);
// A repeated step keeps the prepared password, because nodes may already have it.
const PREPARE = statement(
  'credentials.prepare',
  `update deployment_credentials
      set next_password = $2, previous_password = null,
          previous_until = case when $3::int > 0 then now() + make_interval(secs => $3::int + ${LONGEST_ROTATION_SECONDS}) end
    where deployment_id = $1 and next_password is null`,
);
const REPLACE = statement(
  'credentials.replace',
  `update deployment_credentials
      set password = $2, version = version + 1, next_password = null, previous_password = $3,
          previous_until = case when $3::text is not null then now() + make_interval(secs => $4::int) end
    where deployment_id = $1 and next_password is not null`,
);
const FIND_ENDED = statement(
  'credentials.find_ended',
  `select c.deployment_id from deployment_credentials c join deployment_runtimes r on r.deployment_id = c.deployment_id
    where r.cell = $1 and c.previous_password is not null and c.previous_until <= now()
    order by c.previous_until limit 100`,
);
const DROP_ENDED = statement(
  'credentials.drop_ended',
  `update deployment_credentials set previous_password = null, previous_until = null
    where deployment_id = $1 and previous_password is not null and previous_until <= now()`,
);
const GIVE_NEXT = statement(
  'credentials.give_next',
  `update nodes n set credentials_version = c.version + 1 from deployment_credentials c
    where n.id = $1 and c.deployment_id = n.deployment_id and c.next_password is not null`,
);
const TAKE_BACK = statement(
  'credentials.take_back',
  `with dropped as (update deployment_credentials set next_password = null, previous_until = null where deployment_id = $1 returning version)
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

export const previousPasswordLocation = (row: number): SecretLocation => ({
  table: 'deployment_credentials',
  column: 'previous_password',
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
    const { username, version, previous_until } = row;
    return {
      username,
      version,
      previous_until,
      password: this.secrets.open(passwordLocation(deploymentId), row.password),
    };
  }

  /**
   * Creates the next password, unless one exists already, and deletes the previous one. With an overlap, nodes that get the
   * next password also accept the current one.
   */
  async prepareNext(deploymentId: DeploymentId, overlapSeconds: number): Promise<void> {
    const sealed = this.secrets.seal(nextPasswordLocation(deploymentId), freshPassword());
    await this.database.execute(PREPARE, [deploymentId, sealed, overlapSeconds]);
  }

  /** The next document of the node contains the next password. */
  async giveNext(nodeId: NodeId): Promise<void> {
    await this.database.execute(GIVE_NEXT, [nodeId]);
  }

  /** Makes the next password the current one, after every node has it. Keeps the old one for the overlap. */
  async replace(deploymentId: DeploymentId, overlapSeconds: number): Promise<void> {
    const [row] = await this.database.query<StoredCredentials>(FIND, [deploymentId]);
    if (!row?.next_password) return;
    const next = this.secrets.open(nextPasswordLocation(deploymentId), row.next_password);
    const old = this.secrets.open(passwordLocation(deploymentId), row.password);
    const previousPassword = overlapSeconds > 0 ? this.secrets.seal(previousPasswordLocation(deploymentId), old) : null;
    const sealed = this.secrets.seal(passwordLocation(deploymentId), next);
    await this.database.execute(REPLACE, [deploymentId, sealed, previousPassword, overlapSeconds]);
  }

  /** At most 100 deployments of the cell with a previous password whose time is over, the oldest first. */
  async findEnded(cell: string): Promise<DeploymentId[]> {
    const rows = await this.database.query<{ deployment_id: DeploymentId }>(FIND_ENDED, [cell]);
    return rows.map(({ deployment_id: id }) => id);
  }

  /** Deletes a previous password whose time is over. Returns false when there is none. */
  async dropEnded(deploymentId: DeploymentId): Promise<boolean> {
    return (await this.database.execute(DROP_ENDED, [deploymentId])) === 1;
  }

  /** Deletes the next password. Returns the nodes whose documents had it. */
  async takeBack(deploymentId: DeploymentId): Promise<NodeId[]> {
    return (await this.database.query<{ id: NodeId }>(TAKE_BACK, [deploymentId])).map(({ id }) => id);
  }
}
