import type { CodeShown, ManagedRequest, TenantOptions, UpgradeRequest } from './commands.js';
import { localDriveGb, monthlyBase, nodesFor, SIZES, TERMS, type ModelShape } from './deployment-price.js';

/** Statuses of the codes that this model uses (C-2.2). */
export const STATUS: Record<string, number> = {
  created: 202,
  accepted: 202,
  changed: 200,
  mailed: 204,
  validation_failed: 400,
  tier_feature_unsupported: 400,
  retention_above_maximum: 400,
  downgrade_not_allowed: 400,
  storage_cannot_shrink: 400,
  protection_code_required: 400,
  protection_code_invalid: 400,
  payment_method_required: 402,
  plan_feature_required: 403,
  deployment_not_found: 404,
  name_taken: 409,
  plan_limit_reached: 409,
  state_conflict: 409,
  upgrade_cooldown: 409,
  code_already_requested: 429,
};
/** The result of a command: one of the names above. */
export type Outcome = string;

/** The limits (C-10.2 to C-10.4) of the plans in the sequences. */
const PLANS = {
  basic: { deployments: 2, nodes: 3, isMultiAz: false, tiers: { free: 1, small: 1, medium: 1 } },
  pro: { deployments: 10, nodes: 5, isMultiAz: true, tiers: { free: 1, small: 3, medium: 3, large: 2, xlarge: 1 } },
  enterprise: {
    deployments: 100,
    nodes: 15,
    isMultiAz: true,
    tiers: { free: 1, small: 50, medium: 50, large: 20, xlarge: 20, '2xlarge': 10 },
  },
};
/** C-12.12: the default of telemetry retention is its maximum. */
const TELEMETRY: Record<string, number> = { free: 7, standard: 14, performance: 30, enterprise: 90 };

const COOLDOWN_SECONDS = 900;
const CODE_VALID_SECONDS = 600;
const CODE_PAUSE_SECONDS = 60;
const CODE_ATTEMPTS = 5;

type Work = { type: 'provision' } | { type: 'upgrade'; to: ModelShape; upgradedAt: number | null } | { type: 'delete' };

export interface ModelDeployment {
  name: string | null;
  variant: 'managed' | 'starter';
  /** The shape in force. */
  shape: ModelShape;
  nodes: number;
  isProtected: boolean;
  description: string | null;
  telemetryDays: number;
  isTelemetryChosen: boolean;
  upgrades: { from: ModelShape; to: ModelShape }[];
  /** Time of the last hardware change, by the clock of the model. */
  upgradedAt: number | null;
  /** The operation in progress. */
  work: Work | null;
  /** The shape of its nodes; null without nodes. */
  built: ModelShape | null;
  /** The charged shapes in order; null for the end of charges. */
  charged: (ModelShape | null)[];
  isFailed: boolean;
  isGone: boolean;
  code: { at: number; attempts: number; isUsed: boolean } | null;
}

/**
 * The deployments of one tenant, from chapters 1, 10, 11, 12 and 14 of docs/contract. The model is written from the
 * contract alone and uses no rule of the product.
 */
export class DeploymentModel {
  readonly deployments: ModelDeployment[] = [];
  private now = 0;

  constructor(private readonly tenant: TenantOptions) {}

  create(request: ManagedRequest): Outcome {
    const shape = shapeOf(request);
    const fault = faultOf(request, shape);
    const days = request.retention?.telemetry_days;
    const isKeptTooLong = (days ?? 0) > telemetryOf(shape);
    // Errors of several kinds are reported together, with the generic code.
    if (fault) return isKeptTooLong ? 'validation_failed' : fault;
    if (isKeptTooLong) return 'retention_above_maximum';
    const nodes = nodesFor(request.tier, request.cluster, request.target_network_tput);
    const refusal =
      this.notPermitted(shape, request.availability_mode) ?? this.noPlace(request.name, shape.tier, nodes);
    if (refusal) return refusal;
    this.add('managed', request.name, shape, nodes);
    Object.assign(this.deployments.at(-1) as ModelDeployment, {
      isProtected: request.protected ?? false,
      telemetryDays: days ?? telemetryOf(shape),
      isTelemetryChosen: days !== undefined,
    });
    return 'created';
  }

  start(name: string | null): Outcome {
    const shape: ModelShape = { tier: 'free', managedTier: null, storage: { type: 'network_balanced', size: 100 } };
    const refusal = this.noPlace(name, 'free', 1);
    if (refusal) return refusal;
    this.add('starter', name, shape, 1);
    return 'created';
  }

  upgrade(one: ModelDeployment | undefined, request: UpgradeRequest): Outcome {
    if (!one || one.isGone) return 'deployment_not_found';
    const from = one.shape;
    const to = upgraded(from, request);
    const isHardware = !isSameHardware(from, to);
    const refusal =
      noUpgrade(from, to, request) ??
      this.notPermitted(to) ??
      this.notNow(one, isHardware) ??
      this.noTierLeft(from, to);
    if (refusal) return refusal;
    one.work = { type: 'upgrade', to, upgradedAt: one.upgradedAt };
    if (isHardware) one.upgradedAt = this.now;
    return 'accepted';
  }

  update(one: ModelDeployment | undefined, change: { protected?: boolean; description?: string }): Outcome {
    if (!one || one.isGone) return 'deployment_not_found';
    one.isProtected = change.protected ?? one.isProtected;
    // An empty text clears the description.
    if (change.description !== undefined) one.description = change.description || null;
    return 'changed';
  }

  retain(one: ModelDeployment | undefined, days: number): Outcome {
    if (!one || one.isGone) return 'deployment_not_found';
    if (days > telemetryOf(one.shape)) return 'retention_above_maximum';
    Object.assign(one, { telemetryDays: days, isTelemetryChosen: true });
    return 'changed';
  }

  requestCode(one: ModelDeployment | undefined): Outcome {
    if (!one || one.isGone) return 'deployment_not_found';
    if (one.code && this.now - one.code.at < CODE_PAUSE_SECONDS) return 'code_already_requested';
    one.code = { at: this.now, attempts: 0, isUsed: false };
    return 'mailed';
  }

  delete(one: ModelDeployment | undefined, shown: CodeShown): Outcome {
    if (!one || one.isGone) return 'deployment_not_found';
    if (one.work?.type === 'delete') return 'state_conflict';
    if (one.isProtected && shown === 'none') return 'protection_code_required';
    if (one.isProtected && !this.opens(one, shown)) return 'protection_code_invalid';
    if (one.work?.type === 'upgrade') one.upgradedAt = one.work.upgradedAt;
    one.work = { type: 'delete' };
    return 'accepted';
  }

  /**
   * Cancels the operation in progress, as an operator would. Returns false if this is not possible: only `finish` ends
   * a deletion.
   */
  cancel(one: ModelDeployment | undefined): boolean {
    if (!one?.work || one.work.type === 'delete') return false;
    if (one.work.type === 'upgrade') one.upgradedAt = one.work.upgradedAt;
    else one.isFailed = true;
    one.work = null;
    return true;
  }

  /** Completes the operation in progress. */
  finish(one: ModelDeployment): void {
    const { work } = one;
    one.work = null;
    if (work?.type === 'upgrade') this.apply(one, work.to);
    if (work?.type === 'delete') one.isGone = true;
    if (!work) return;
    one.built = work.type === 'delete' ? null : one.shape;
    one.charged.push(one.built);
  }

  wait(seconds: number): void {
    this.now += seconds;
  }

  canUpgrade(one: ModelDeployment): boolean {
    return one.work?.type !== 'delete' && one.work?.type !== 'upgrade' && this.cooldownLeft(one) <= 0;
  }

  monthlyBase({ shape, nodes }: ModelDeployment): number {
    return monthlyBase(shape, nodes);
  }

  /** Newest first. */
  list(): ModelDeployment[] {
    return this.deployments.filter(({ isGone }) => !isGone).reverse();
  }

  /** Remaining number of deployments of this compute size in the plan. */
  tierLeft(tier: string): number {
    const isOfTier = ({ shape, work }: ModelDeployment): boolean =>
      shape.tier === tier || (work?.type === 'upgrade' && work.to.tier === tier);
    const used = this.list().filter(isOfTier).length;
    return Math.max(0, ((PLANS[this.tenant.plan].tiers as Record<string, number>)[tier] ?? 0) - used);
  }

  /** Number of deployments of this compute size that can be created; all deployments together also have a limit. */
  creatable(tier: string): number {
    return Math.max(0, Math.min(this.tierLeft(tier), PLANS[this.tenant.plan].deployments - this.list().length));
  }

  private add(variant: 'managed' | 'starter', name: string | null, shape: ModelShape, nodes: number): void {
    const fresh = { isProtected: false, description: null, upgrades: [], upgradedAt: null, built: null, code: null };
    this.deployments.push({
      charged: [],
      ...{ ...fresh, variant, name, shape, nodes },
      telemetryDays: telemetryOf(shape),
      isTelemetryChosen: false,
      work: { type: 'provision' },
      isFailed: false,
      isGone: false,
    });
  }

  /** Payment and features of the plan: checked before state, name and limits (C-1.16). */
  private notPermitted({ tier, managedTier }: ModelShape, availability?: string): Outcome | null {
    if (tier !== 'free' && !this.tenant.pays) return 'payment_method_required';
    const lacks =
      (managedTier === 'enterprise' && this.tenant.plan !== 'enterprise') ||
      (availability === 'multi_az' && !PLANS[this.tenant.plan].isMultiAz);
    return lacks ? 'plan_feature_required' : null;
  }

  private noPlace(name: string | null, tier: string, nodes: number): Outcome | null {
    const isNamed = (one: ModelDeployment): boolean => one.name?.toLowerCase() === name?.toLowerCase();
    if (name !== null && this.list().some((one) => one.work?.type !== 'delete' && isNamed(one))) return 'name_taken';
    const limits = PLANS[this.tenant.plan];
    const isFull = this.list().length >= limits.deployments || nodes > limits.nodes || this.tierLeft(tier) < 1;
    return isFull ? 'plan_limit_reached' : null;
  }

  private notNow(one: ModelDeployment, isHardware: boolean): Outcome | null {
    if (one.work || one.isFailed) return 'state_conflict';
    return isHardware && this.cooldownLeft(one) > 0 ? 'upgrade_cooldown' : null;
  }

  private noTierLeft(from: ModelShape, to: ModelShape): Outcome | null {
    return to.tier !== from.tier && this.tierLeft(to.tier) < 1 ? 'plan_limit_reached' : null;
  }

  private cooldownLeft({ upgradedAt }: ModelDeployment): number {
    return upgradedAt === null ? 0 : upgradedAt + COOLDOWN_SECONDS - this.now;
  }

  /** Each attempt counts, also the one with the right code. */
  private opens({ code }: ModelDeployment, shown: CodeShown): boolean {
    if (!code || code.isUsed || this.now - code.at >= CODE_VALID_SECONDS || code.attempts >= CODE_ATTEMPTS)
      return false;
    code.attempts += 1;
    code.isUsed = shown === 'newest';
    return code.isUsed;
  }

  private apply(one: ModelDeployment, to: ModelShape): void {
    one.upgrades.unshift({ from: one.shape, to });
    one.shape = to;
    one.telemetryDays = one.isTelemetryChosen ? Math.min(one.telemetryDays, telemetryOf(to)) : telemetryOf(to);
  }
}

const telemetryOf = ({ managedTier }: ModelShape): number => TELEMETRY[managedTier ?? 'free'] ?? 0;

function shapeOf({ tier, managed_tier, storage }: ManagedRequest): ModelShape {
  const type = storage?.type ?? 'network_balanced';
  const size = type === 'local_ssd' ? localDriveGb(tier) : (storage?.size ?? 100);
  return { tier, managedTier: managed_tier ?? null, storage: { type, size } };
}

/** Omitted members stay unchanged. */
const upgraded = (from: ModelShape, { tier, managed_tier, storage }: UpgradeRequest): ModelShape => ({
  tier: tier ?? from.tier,
  managedTier: managed_tier ?? from.managedTier,
  storage: { type: from.storage.type, size: storage?.size ?? from.storage.size },
});

const isSameHardware = (from: ModelShape, to: ModelShape): boolean =>
  to.tier === from.tier && to.storage.size === from.storage.size;

/** C-12.5 to C-12.9: the members of a creation and their rules. */
function faultOf(request: ManagedRequest, shape: ModelShape): Outcome | null {
  const { tier, managedTier } = shape;
  const isFree = tier === 'free';
  if (!isFree && managedTier === null) return 'validation_failed';
  const isUnsupported =
    (isFree && managedTier !== null) ||
    request.cluster !== (isFree ? 'standalone' : 'cluster') ||
    isLocalRefused(request, shape) ||
    (request.availability_mode === 'multi_az' && managedTier !== 'enterprise');
  return isUnsupported ? 'tier_feature_unsupported' : null;
}

/** Local drives need a higher managed tier than standard, and their size follows the compute size. */
const isLocalRefused = (request: ManagedRequest, { tier, managedTier, storage }: ModelShape): boolean =>
  storage.type === 'local_ssd' &&
  (tier === 'free' || managedTier === 'standard' || request.storage?.size !== undefined);

/** C-12.13 and C-12.14: only upgrades, and only of members that may change. */
function noUpgrade(from: ModelShape, to: ModelShape, request: UpgradeRequest): Outcome | null {
  if (from.tier === 'free') return 'tier_feature_unsupported';
  if (isLower(SIZES, from.tier, to.tier) || isLower(TERMS, from.managedTier, to.managedTier))
    return 'downgrade_not_allowed';
  if (to.storage.size < from.storage.size) return 'storage_cannot_shrink';
  const fixed = changesWhatIsFixed(from, to, request);
  if (fixed) return fixed;
  return isSameHardware(from, to) && to.managedTier === from.managedTier ? 'validation_failed' : null;
}

/** The storage type never changes; with Local NVMe the compute size and the storage size do not change either. */
function changesWhatIsFixed(from: ModelShape, to: ModelShape, { storage }: UpgradeRequest): Outcome | null {
  if (storage?.type !== undefined && storage.type !== from.storage.type) return 'validation_failed';
  const isSizeAsked = to.tier !== from.tier || storage?.size !== undefined;
  return from.storage.type === 'local_ssd' && isSizeAsked ? 'tier_feature_unsupported' : null;
}

const isLower = (order: string[], before: string | null, after: string | null): boolean =>
  order.indexOf(after ?? '') < order.indexOf(before ?? '');
