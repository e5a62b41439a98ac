import { LIMITS } from '@libs/domain';
import { given, TestCloud, type ApiAnswer, type GivenSession } from '@libs/testing';

/** The other organization, whose callers the matrix tests. */
export interface OtherTenant {
  tenantId: number;
  divisionId: number;
  environmentId: number;
}

/** The matrix creates more resources than a plan allows. */
const PLAN_OVERRIDES = {
  limits: Object.fromEntries(LIMITS.filter((name) => name.endsWith('_limit')).map((name) => [name, 10_000])),
  deployment_tiers: { free: 10_000, small: 10_000, medium: 10_000 },
};
/** A user with a session. */
export interface SignedIn extends GivenSession {
  userId: number;
}

const DAY_MS = 86_400_000;
export const tomorrow = (): string => new Date(Date.now() + DAY_MS).toISOString();

/**
 * A cloud without workers: requests stay in their accepted state, and no node starts. Creates resources through the API
 * as the owner, so each call of the matrix gets new ones.
 */
export class World {
  private made = 0;

  private constructor(
    readonly cloud: TestCloud,
    /** Another organization. */
    readonly otherTenant: OtherTenant,
    /** Another division of the first organization. */
    readonly otherDivision: number,
    /** Prefix of each name that this world generates. */
    private readonly prefix = 'made',
  ) {}

  static async start(): Promise<World> {
    const cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
    await cloud.rows('update tenants set plan_overrides = $1', [JSON.stringify(PLAN_OVERRIDES)]);
    const otherTenant = await given.tenant(cloud);
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'other' });
    return new World(cloud, otherTenant, body.id);
  }

  /**
   * The same cloud as the other organization sees it. That world creates its resources in the other organization, with
   * this prefix in their names.
   */
  async ofOtherTenant(prefix: string): Promise<World> {
    const { tenantId } = this.otherTenant;
    await this.cloud.rows('update tenants set plan_overrides = $1 where id = $2', [
      JSON.stringify(PLAN_OVERRIDES),
      tenantId,
    ]);
    const cloud = await given.cloudOf(this.cloud, this.otherTenant);
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: `${prefix}-division` });
    const { tenant_id, division_id, environment_id } = this.cloud.installation;
    const otherTenant = { tenantId: tenant_id, divisionId: division_id, environmentId: environment_id };
    return new World(cloud, otherTenant, body.id as number, prefix);
  }

  stop(): Promise<void> {
    return this.cloud.stop();
  }

  name(): string {
    this.made += 1;
    return `${this.prefix}-${this.made}`;
  }

  async division(): Promise<number> {
    return this.idOf(await this.cloud.main().post(`${this.cloud.tenant}/divisions`, { name: this.name() }));
  }

  async environment(): Promise<number> {
    return this.idOf(await this.cloud.main().post(`${this.cloud.division}/environments`, { name: this.name() }));
  }

  async deployment(): Promise<number> {
    const path = `${this.cloud.environment}/deployments/managed`;
    const accepted = await this.cloud.main().post(path, await this.managed());
    return Number(accepted.headers.get('ld-deployment'));
  }

  /** The first node from its row: no node is started here. */
  async nodeOf(deployment: number): Promise<number> {
    const [node] = await this.cloud.rows<{ id: string }>('select min(id) as id from nodes where deployment_id = $1', [
      deployment,
    ]);
    return Number(node?.id);
  }

  /** A deployment whose creation is finished in the rows only: no node is started here. */
  async servingDeployment(): Promise<number> {
    const id = await this.deployment();
    await this.cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      id,
    ]);
    await this.cloud.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [id]);
    return id;
  }

  /** A paid shape and an invoice agreement for it, because another call may have removed the agreement. */
  async managed(): Promise<object> {
    await given.invoiceAgreement(this.cloud, this.cloud.installation.tenant_id);
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
    return { name: this.name(), ...shape };
  }

  async byoc(): Promise<object> {
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', cluster: 'cluster' };
    return { name: this.name(), ...shape, aws: await this.awsAccount() };
  }

  async awsAccount(): Promise<object> {
    const setup = { cloud: 'aws', region: 'us-east-1' };
    const { body } = await this.cloud.main().post(`${this.cloud.environment}/deployments/byoc/setup`, setup);
    return {
      account_id: '123456789012',
      identity_arn: 'arn:aws:iam::123456789012:role/landlord',
      external_id: body.external_id,
      vpc_id: 'vpc-0123456789abcdef0',
    };
  }

  accessRule(): object {
    return { name: this.name(), cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } };
  }

  config(): object {
    return { values: { mqtt: { max_connections: 500 } } };
  }

  /** An instance of a connector on a serving deployment; its operation is finished in the rows only. */
  async connector(
    deployment: number,
    plugin = 'stdout',
  ): Promise<{ connector_instance_id: number; config_name: string }> {
    const path = `${this.cloud.environment}/deployments/${deployment}/connectors/activate`;
    const { body } = await this.cloud.main().post(path, { connector_type: 'sink', connector_key: plugin });
    await this.cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      deployment,
    ]);
    return { connector_instance_id: body.id, config_name: body.key };
  }

  async operation(): Promise<number> {
    const path = `${this.cloud.environment}/deployments/managed`;
    return Number((await this.cloud.main().post(path, await this.managed())).headers.get('ld-operation'));
  }

  async role(): Promise<number> {
    const permissions = { tenant: ['info:read'] };
    return this.idOf(await this.cloud.main().post(`${this.cloud.tenant}/roles`, { name: this.name(), permissions }));
  }

  async apiKey(): Promise<number> {
    return this.idOf(await this.cloud.main().post(`${this.cloud.tenant}/api_keys`, this.newKey()));
  }

  newKey(): object {
    return { name: this.name(), expiry_at: tomorrow(), permissions: { tenant: ['info:read'] } };
  }

  async cloudAccount(): Promise<number> {
    const path = `${this.cloud.tenant}/cloud_accounts`;
    return this.idOf(
      await this.cloud.main().post(path, { cloud: 'aws', name: this.name(), account_id: '123456789012' }),
    );
  }

  async member(): Promise<number> {
    return (await given.member(this.cloud, this.name())).id;
  }

  address(): string {
    return `${this.name()}@people.example`;
  }

  /** An invitation for the address of the user, or for a new address. */
  async invitation(userId?: number): Promise<number> {
    const [user] = await this.cloud.rows<{ email: string }>('select email from users where id = $1', [userId ?? 0]);
    const email = user?.email ?? this.address();
    const roles = [await this.role()];
    return this.idOf(await this.cloud.main().post(`${this.cloud.tenant}/invitations`, { email, roles }));
  }

  async joinRequest(): Promise<number> {
    const { id } = await given.user(this.cloud, { email: this.address() });
    return given.joinRequest(this.cloud, id);
  }

  /** The owner of the first tenant, or a new user with a verified address and no tenant. */
  async signedIn(as: 'user' | 'owner'): Promise<SignedIn> {
    const email = this.address();
    const userId = as === 'owner' ? await this.ownerId() : (await given.user(this.cloud, { email })).id;
    return { ...(await given.session(this.cloud, userId)), userId };
  }

  /** Owner of the first tenant. */
  async ownerId(): Promise<number> {
    const [row] = await this.cloud.rows<{ id: number }>('select owner_id::int as id from tenants where id = $1', [
      this.cloud.installation.tenant_id,
    ]);
    return row?.id ?? 0;
  }

  private idOf({ status, body }: ApiAnswer): number {
    if (status !== 201) throw new TypeError(`the world could not be made: ${JSON.stringify(body)}`);
    return body.id;
  }
}
