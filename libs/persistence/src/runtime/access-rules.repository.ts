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

const LIST = statement(
  'access_rule.list',
  `select id, name, remarks, cidr_blocks, rules, valid_to, created_at from access_rules where deployment_id = $1 order by id desc`,
);

/** Access rules of deployments. */
export class AccessRulesRepository {
  constructor(private readonly database: Database) {}

  async list(deploymentId: number): Promise<AccessRuleRow[]> {
    return this.database.query<AccessRuleRow>(LIST, [deploymentId]);
  }
}
