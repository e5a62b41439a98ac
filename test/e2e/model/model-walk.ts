import type { ApiAnswer } from '@libs/testing';
import type { Command, Pace, TenantOptions } from './commands.js';
import { DeploymentModel, STATUS, type ModelDeployment, type Outcome } from './deployment-model.js';
import { monthlyBase, REGION, SIZES, type ModelShape } from './deployment-price.js';
import type { ModelInstallation, ModelTenant } from './model-installation.js';

const WHERE = { cloud: 'aws', region: REGION };
/** Members without a value for a deployment without a managed tier. */
const NO_TERMS = { managed_tier: null, monthly_base: null };
const NOBODYS = 999_999_999;
/** From this number on, a command addresses any deployment, also a deleted one. */
const ANY = 4;

interface Real {
  id: number;
  /** The operation that was accepted last. */
  operation: number;
  /** The codes that were mailed for it, newest last. */
  codes: string[];
}

/** Runs commands against the model and the product, and compares both after each command. */
export class ModelWalk {
  private readonly model: DeploymentModel;
  private readonly real = new Map<ModelDeployment, Real>();
  private mails = 0;
  private refused = 0;

  private constructor(
    private readonly installation: ModelInstallation,
    private readonly tenant: ModelTenant,
    options: TenantOptions,
    private readonly seen: (what: string) => void,
  ) {
    this.model = new DeploymentModel(options);
  }

  static async begin(
    installation: ModelInstallation,
    options: TenantOptions,
    seen: (what: string) => void,
  ): Promise<ModelWalk> {
    return new ModelWalk(installation, await installation.tenant(options), options, seen);
  }

  async play(commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      const refused = this.refused;
      await this.step(command);
      // A refusal changes nothing. If it did, the comparison after the next accepted command would show the change.
      if (this.refused === refused) await this.agree();
      else if ('nth' in command) await this.agreeOn(this.nth(command.nth));
    }
    await this.work();
    await this.agree();
    for (const [one, { id }] of this.real) if (one.isGone) expect(this.installation.cloud.of(id)).toEqual([]);
    for (const [one, { id }] of this.real) expect(await this.metered(id)).toEqual(this.chargesOf(one));
  }

  private async step(command: Command): Promise<void> {
    switch (command.do) {
      case 'create':
        return this.born(
          this.model.create(command.request),
          '/managed',
          { ...WHERE, ...command.request },
          command.pace,
        );
      case 'start':
        return this.start(command.name, command.pace);
      case 'wait':
        this.model.wait(command.seconds);
        return this.installation.pass(this.tenant.id, command.seconds);
      case 'work':
        return this.work();
      default:
        // Without deployments, most commands have nothing to address.
        if (this.model.list().length > 0 || command.nth === ANY) await this.stepOf(command, this.nth(command.nth));
        return;
    }
  }

  private async stepOf(command: Extract<Command, { nth: number }>, one: ModelDeployment | undefined): Promise<void> {
    const path = this.pathOf(one);
    const { api } = this.tenant;
    switch (command.do) {
      case 'upgrade':
        return this.long(command, one, this.model.upgrade(one, command.request), () =>
          api.post(`${path}/upgrade`, command.request),
        );
      case 'delete': {
        const code = this.codeFor(one, command.code);
        return this.long(command, one, this.model.delete(one, code === null ? 'none' : command.code), () =>
          api.delete(code === null ? path : `${path}?code=${code}`),
        );
      }
      case 'update':
        return this.answered('update', this.model.update(one, command.change), await api.put(path, command.change));
      case 'retain': {
        const body = { retention: { telemetry_days: command.days } };
        return this.answered('retain', this.model.retain(one, command.days), await api.put(`${path}/retention`, body));
      }
      case 'request_code':
        return this.requestCode(one);
      case 'cancel':
        return this.cancel(this.underWay(command.nth));
    }
  }

  private async start(name: string | null, pace: Pace): Promise<void> {
    const body = {
      ...WHERE,
      environment_id: this.tenant.environmentId,
      ...(name !== null && { deployment_name: name }),
    };
    return this.born(this.model.start(name), '/starter', body, pace);
  }

  private async born(outcome: Outcome, path: string, body: object, pace: Pace): Promise<void> {
    const { divisionId, id } = this.tenant;
    const base = path === '/starter' ? `/tenants/${id}/divisions/${divisionId}/deployments` : this.base;
    const answer = await this.tenant.api.post(`${base}${path}`, body);
    this.answered(`create ${path}`, outcome, answer);
    const one = this.model.deployments.at(-1);
    if (outcome !== 'created' || !one) return;
    const { deployment_id, operation_id } = answer.body;
    this.real.set(one, { id: deployment_id, operation: operation_id, codes: [] });
    one.name ??= (await this.tenant.api.get(this.pathOf(one))).body.name;
    await this.workAt(pace, one);
  }

  private async long(
    command: { do: string; pace: Pace },
    one: ModelDeployment | undefined,
    outcome: Outcome,
    call: () => Promise<ApiAnswer>,
  ): Promise<void> {
    const answer = await call();
    this.answered(command.do, outcome, answer);
    if (outcome !== 'accepted' || !one) return;
    const real = this.realOf(one);
    // A deletion replaces the operation in progress. Settle that operation, whether the workers have started it or not.
    if (command.do === 'delete') await this.installation.settle();
    real.operation = answer.body.operation_id;
    await this.workAt(command.pace, one);
  }

  private async requestCode(one: ModelDeployment | undefined): Promise<void> {
    const { id: tenant_id, divisionId: division_id, environmentId: environment_id, api } = this.tenant;
    const deployment_id = one ? this.realOf(one).id : NOBODYS;
    const payload = { tenant_id, division_id, environment_id, deployment_id };
    const action = { action_type: 'delete_deployment', payload };
    const outcome = this.model.requestCode(one);
    this.answered('request_code', outcome, await api.put(`/tenants/${tenant_id}/request_code`, { action }));
    if (outcome !== 'mailed' || !one) return;
    this.mails += 1;
    const text = await this.installation.postbox.nth(this.tenant.ownerEmail, this.mails);
    this.realOf(one).codes.push(/^[A-Z2-9]{8}$/m.exec(text)?.[0] ?? 'no code in the mail');
  }

  private async cancel(one: ModelDeployment | undefined): Promise<void> {
    if (!one || !this.model.cancel(one)) return;
    const { id, operation } = this.realOf(one);
    await this.installation.cancel(operation);
    expect(await this.installation.finish(operation, id)).toBe('cancelled');
    this.seen('cancel');
  }

  private async work(): Promise<void> {
    for (const one of this.model.list()) if (one.work) await this.workAt('done', one);
  }

  private async workAt(pace: Pace, one: ModelDeployment): Promise<void> {
    if (pace === 'asked') return;
    if (pace === 'given_up') return this.cancel(one);
    const { id, operation } = this.realOf(one);
    const status =
      pace === 'done' ? await this.installation.finish(operation, id) : await this.installation.begin(operation);
    // The workers decide where an operation first waits: an operation without nodes does not wait at all.
    if (pace === 'begun' && ['pending', 'running'].includes(status)) return this.seen('begun');
    expect(status).toBe('succeeded');
    this.model.finish(one);
  }

  private answered(what: string, outcome: Outcome, { status, body }: ApiAnswer): void {
    const isRefused = (STATUS[outcome] ?? 0) >= 400;
    const answer = { status, code: isRefused || status >= 400 ? body?.code : outcome };
    expect({ what, ...answer }).toEqual({ what, status: STATUS[outcome], code: outcome });
    this.seen(`${what}: ${outcome}`);
    if (isRefused) this.refused += 1;
  }

  /** Compares all deployments of the tenant in the API, and their resources in the cloud. */
  private async agree(): Promise<void> {
    const { api, id } = this.tenant;
    const expected = this.model.list();
    const [list, tiers, ...details] = await Promise.all([
      api.get(`${this.base}?results=100`),
      api.get(`/tenants/${id}/clouds/aws/regions/${REGION}/tiers`),
      ...expected.map((one) => api.get(this.pathOf(one))),
    ]);
    expect(details.map(({ body }) => ({ ...NO_TERMS, ...body }))).toMatchObject(
      expected.map((one) => this.detailOf(one)),
    );
    expect(list.body.total_results).toBe(expected.length);
    expect(list.body.items).toMatchObject(expected.map((one) => this.itemOf(one)));
    const limits = tiers.body.map(({ key, limit }: { key: string; limit: number }) => [key, limit]);
    expect(limits.slice(0, SIZES.length)).toEqual(SIZES.map((size) => [size, this.model.creatable(size)]));
    for (const [one, real] of this.real) this.agreeOnNodes(one, real);
  }

  private async agreeOn(one: ModelDeployment | undefined): Promise<void> {
    const { body } = await this.tenant.api.get(this.pathOf(one));
    expect({ ...NO_TERMS, ...body }).toMatchObject(
      one && !one.isGone ? this.detailOf(one) : { code: 'deployment_not_found' },
    );
  }

  private agreeOnNodes(one: ModelDeployment, { id }: Real): void {
    if (one.work) return;
    const { built } = one;
    const node = built && { variant: built.tier, storage: built.storage };
    expect(this.installation.cloud.nodesOf(id)).toEqual(node ? Array(one.nodes).fill(node) : []);
  }

  /** Each metered shape in order with its monthly price; null for the end. */
  private metered(id: number): Promise<object[]> {
    return this.installation.rows(
      `select shape ->> 'tier' as tier, shape ->> 'managed_tier' as terms, (shape ->> 'nodes')::int as nodes,
              (shape ->> 'storage_size')::int as gb, (monthly_compute_usd + monthly_storage_usd)::float8 as usd
         from metering_intervals where deployment_id = $1 order by effective_at, id`,
      [id],
    );
  }

  private chargesOf({ charged, nodes }: ModelDeployment): object[] {
    return charged.map((shape) => ({
      tier: shape?.tier ?? null,
      terms: shape?.managedTier ?? null,
      nodes: shape && nodes,
      gb: shape?.storage.size ?? null,
      usd: shape?.managedTier ? monthlyBase(shape, nodes) : 0,
    }));
  }

  private itemOf(one: ModelDeployment): object {
    return {
      id: this.realOf(one).id,
      name: one.name,
      variant: one.variant,
      ...WHERE,
      tier: one.shape.tier,
      protected: one.isProtected,
      storage: one.shape.storage,
      nodes_count: one.nodes,
      retention: { telemetry_days: one.telemetryDays },
    };
  }

  private detailOf(one: ModelDeployment): object {
    const terms = one.shape.managedTier;
    const toView = ({ tier, storage, managedTier }: ModelShape) => ({ tier, storage, managed_tier: managedTier });
    return {
      ...this.itemOf(one),
      description: one.description,
      can_upgrade: this.model.canUpgrade(one),
      upgrades: one.upgrades.map(({ from, to }) => ({ from: toView(from), to: toView(to) })),
      managed_tier: terms,
      monthly_base: terms === null ? null : this.model.monthlyBase(one),
    };
  }

  /** Null if there is no code to send. */
  private codeFor(one: ModelDeployment | undefined, shown: 'none' | 'newest' | 'older' | 'wrong'): string | null {
    if (shown === 'none') return null;
    if (shown === 'wrong') return 'WRONG222';
    const codes = one ? this.realOf(one).codes : [];
    return codes.at(shown === 'newest' ? -1 : -2) ?? null;
  }

  /** Mostly an existing deployment, sometimes one that may be deleted. */
  private nth(nth: number): ModelDeployment | undefined {
    const { deployments } = this.model;
    const there = nth < ANY ? this.model.list().reverse() : [];
    const among = there.length > 0 ? there : deployments;
    return among[nth % Math.max(1, among.length)];
  }

  private underWay(nth: number): ModelDeployment | undefined {
    const busy = this.model.list().filter(({ work }) => work !== null);
    return busy[nth % Math.max(1, busy.length)];
  }

  private realOf(one: ModelDeployment): Real {
    const real = this.real.get(one);
    if (!real) throw new TypeError('the model has a deployment that was never made');
    return real;
  }

  private get base(): string {
    const { id, divisionId, environmentId } = this.tenant;
    return `/tenants/${id}/divisions/${divisionId}/environments/${environmentId}/deployments`;
  }

  private pathOf(one: ModelDeployment | undefined): string {
    return `${this.base}/${one ? this.realOf(one).id : NOBODYS}`;
  }
}
