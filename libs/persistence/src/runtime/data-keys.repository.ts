import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { Secrets } from '../secrets.js';
import { dataKeyLocation } from './initial-rows.repository.js';

const FIND = statement('data_key.find', 'select data_key from deployment_runtimes where deployment_id = $1');

/** The keys for the stored data of encrypted deployments. */
@Injectable()
export class DataKeysRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Identifies the key without revealing it, like the file `encryption.json` of a node. Null for a deployment without
   * encryption.
   * @throws SecretUnreadable when the key does not open
   */
  async idOf(deploymentId: DeploymentId): Promise<string | null> {
    const [row] = await this.database.query<{ data_key: string | null }>(FIND, [deploymentId]);
    if (!row?.data_key) return null;
    const key = Buffer.from(this.secrets.open(dataKeyLocation(deploymentId), row.data_key), 'base64');
    return createHash('sha256').update('landlord data key').update(key).digest('hex').slice(0, 16);
  }
}
