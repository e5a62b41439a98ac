import { statement, type Database } from '../database.js';
import type { SecretPlace } from '../sealed-columns.js';
import type { Secrets } from '../secrets.js';

/** What clients sign in to the broker with. */
export interface Credentials {
  username: string;
  password: string;
  version: number;
}

const FIND = statement(
  'credentials.find',
  'select username, password, version from deployment_credentials where deployment_id = $1',
);

const placeOf = (deploymentId: number): SecretPlace => ({
  table: 'deployment_credentials',
  column: 'password',
  row: deploymentId,
});

/** Client credentials; passwords are sealed at rest. */
export class CredentialsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async find(deploymentId: number): Promise<Credentials | null> {
    const [row] = await this.database.query<Credentials>(FIND, [deploymentId]);
    return row ? { ...row, password: this.secrets.open(placeOf(deploymentId), row.password) } : null;
  }
}
