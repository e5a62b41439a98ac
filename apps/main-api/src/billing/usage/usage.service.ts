import { Injectable } from '@nestjs/common';
import { validationFailed } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { UsageRepository } from '@libs/persistence/billing';
import { scopeOf } from '../../platform/index.js';
import type { UsageQuery } from '../dto/usage.query.js';
import { UsagePage } from '../dto/usage.view.js';
import { toChargeLineView, toChargesView } from './to-charges-view.js';

const LONGEST_MS = 400 * 86_400_000;

/** Charges between two moments, as far as the caller may see them. */
@Injectable()
export class UsageService {
  constructor(private readonly usage: UsageRepository) {}

  /** @throws DomainError validation_failed */
  async list(actor: ActingCaller, query: UsageQuery): Promise<UsagePage> {
    const { from, until } = windowOf(query, new Date());
    const scope = scopeOf(actor);
    const page = await this.usage.page(scope, from, until, query);
    const totals = toChargesView(await this.usage.totals(scope, from, until));
    const window = { from: from.toISOString(), to: until.toISOString() };
    return new UsagePage({ ...page, items: page.items.map(toChargeLineView) }, query, { ...window, ...totals });
  }
}

/** The future is not charged yet, so every window ends at the current time at the latest. */
function windowOf({ from, to }: UsageQuery, now: Date): { from: Date; until: Date } {
  const until = to === undefined || to > now ? now : to;
  const begins = from ?? new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth()));
  if (begins > (to ?? now)) throw refused('from', 'must not be later than to, or now');
  if (until.getTime() - begins.getTime() > LONGEST_MS) throw refused('from', 'must be within 400 days of to');
  return { from: begins > until ? until : begins, until };
}

const refused = (name: string, reason: string) => validationFailed([{ path: `/${name}`, code: 'invalid', reason }]);
