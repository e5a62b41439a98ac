import { statement, type Database } from '../database.js';

/** A rule as it is stored (spec, "Access rule"). */
export interface AccessRuleRow {
  id: number;
  name: string;
  remarks: string | null;
  cidr_blocks: string[];
  rules: Record<'broker_tcp' | 'broker_http' | 'broker_websocket' | 'broker_udp', boolean>;
  valid_to: Date | null;
  created_at: Date;
}

const INSERT = statement(
  'access_rule.insert',
  `insert into access_rules (deployment_id, name, remarks, cidr_blocks, rules, valid_to)
   values ($1, $2, $3, $4, $5::jsonb, $6) returning id`,
);
const LIST = statement(
  'access_rule.list',
  `select id, name, remarks, cidr_blocks, rules, valid_to, created_at from access_rules where deployment_id = $1 order by id desc`,
);

/** Access rules of deployments. */
export class AccessRulesRepository {
  constructor(private readonly database: Database) {}

  async insert(deploymentId: number, rule: Omit<AccessRuleRow, 'id' | 'created_at'>): Promise<number> {
    const values = [deploymentId, rule.name, rule.remarks, rule.cidr_blocks, JSON.stringify(rule.rules), rule.valid_to];
    const [row] = await this.database.query<{ id: number }>(INSERT, values);
    return row?.id ?? 0;
  }

  async list(deploymentId: number): Promise<AccessRuleRow[]> {
    return this.database.query<AccessRuleRow>(LIST, [deploymentId]);
  }
}
