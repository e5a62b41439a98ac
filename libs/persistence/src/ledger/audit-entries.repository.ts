import { Injectable } from '@nestjs/common';
import type { AuditType, ApiKeyId, AuditEntryId, DeploymentId, DivisionId, EnvironmentId, UserId } from '@libs/domain';
import { Database } from '../database.js';
import { cursorAfter, positionOf, type PageOf, type PageRequest, type RowPosition } from '../page-of.js';
import {
  AUDIT_ORDER,
  countSearch,
  nextSearch,
  olderSearch,
  pageSearch,
  type AuditCursor,
  type AuditFilter,
} from './audit-search.js';

/** An audit entry as the repository reads it. */
export interface AuditEntryRow {
  id: AuditEntryId;
  created_at: Date;
  type: AuditType;
  author_id: UserId | null;
  author_name: string | null;
  api_key_id: ApiKeyId | null;
  api_key_name: string | null;
  user_id: UserId | null;
  user_name: string | null;
  division_id: DivisionId | null;
  division_name: string | null;
  environment_id: EnvironmentId | null;
  environment_name: string | null;
  deployment_id: DeploymentId | null;
  deployment_name: string | null;
  data: object | null;
  correlation_id: string | null;
}

/** Some entries in the order of time, and the cursor for the next ones; null at the end. */
export interface AuditChunk {
  entries: AuditEntryRow[];
  next: AuditCursor | null;
}

/** Reads the audit of a tenant. */
@Injectable()
export class AuditEntriesRepository {
  constructor(private readonly database: Database) {}

  /** One page, newest first, and the exact number of entries in all pages. */
  async page(filter: AuditFilter, request: PageRequest): Promise<PageOf<AuditEntryRow>> {
    const total = await this.count(filter);
    if (request.cursor !== undefined) return { ...(await this.older(filter, request.cursor, request.results)), total };
    const offset = (request.page - 1) * request.results;
    const rows = Math.min(request.results, total - offset);
    if (rows <= 0) return { items: [], total, next: null };
    // After the middle, counting from the oldest entry is shorter. Entries that arrive during the read are at the newest end.
    const fromOldest = total - offset - rows;
    const backwards = fromOldest < offset;
    const { statement, values } = pageSearch(filter, rows, backwards ? fromOldest : offset, backwards);
    const items = await this.database.query<AuditEntryRow & RowPosition>(statement, values);
    if (backwards) items.reverse();
    return { items, total, next: offset + rows < total ? cursorAfter(items) : null };
  }

  private async older(
    filter: AuditFilter,
    cursor: string,
    results: number,
  ): Promise<Omit<PageOf<AuditEntryRow>, 'total'>> {
    const search = olderSearch(filter, positionOf(AUDIT_ORDER, undefined, cursor), results + 1);
    const rows = await this.database.query<AuditEntryRow & RowPosition>(search.statement, search.values);
    const items = rows.slice(0, results);
    return { items, next: rows.length > results ? cursorAfter(items) : null };
  }

  async count(filter: AuditFilter): Promise<number> {
    const { statement, values } = countSearch(filter);
    const [row] = await this.database.query<{ count: number }>(statement, values);
    return row?.count ?? 0;
  }

  /** The next entries, oldest first. */
  async next(filter: AuditFilter, after: AuditCursor | null, limit: number): Promise<AuditChunk> {
    const { statement, values } = nextSearch(filter, after, limit);
    const rows = await this.database.query<AuditEntryRow & { moment: string }>(statement, values);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { entries: rows, next: last ? { createdAt: last.moment, id: last.id } : null };
  }
}
