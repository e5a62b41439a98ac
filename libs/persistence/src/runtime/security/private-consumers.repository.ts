import { Injectable } from '@nestjs/common';
import type { PrivateConnectionId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { PrivateConnectionConsumer } from '../entities/private-connection-consumer.entity.js';

/** A consumer of an endpoint service or an attachment. */
export interface PrivateConsumer extends Pick<
  PrivateConnectionConsumer,
  'id' | 'owner' | 'network' | 'endpoint' | 'status'
> {
  connectionId: string;
  createdAt: Date;
}
export type SeenConsumer = Omit<PrivateConsumer, 'id' | 'createdAt'>;

const LIST = statement(
  'private_consumer.list',
  `select id, connection_id as "connectionId", owner, network, endpoint, status, created_at as "createdAt"
     from private_connection_consumers where private_connection_id = $1 order by id desc limit 1000`,
);
const SEE = statement(
  'private_consumer.see',
  `with seen as (
     select distinct on ("of", "connectionId") * from jsonb_to_recordset($2::jsonb)
       as s("of" bigint, "connectionId" text, owner text, network text, endpoint text, status text)
   ), gone as (
     delete from private_connection_consumers c where c.private_connection_id = any($1::bigint[])
       and not exists (select from seen where seen."of" = c.private_connection_id and seen."connectionId" = c.connection_id)
   )
   insert into private_connection_consumers as c (private_connection_id, connection_id, owner, network, endpoint, status)
   select "of", "connectionId", owner, network, endpoint, status from seen
   on conflict (private_connection_id, connection_id) do update
      set owner = excluded.owner, network = excluded.network, endpoint = excluded.endpoint, status = excluded.status
    where (c.owner, c.network, c.endpoint, c.status) is distinct from
          (excluded.owner, excluded.network, excluded.endpoint, excluded.status)`,
);

/** Consumers of endpoint services and attachments. Only their own connection lists them. */
@Injectable()
export class PrivateConsumersRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(connectionId: PrivateConnectionId): Promise<PrivateConsumer[]> {
    return this.database.query<PrivateConsumer>(LIST, [connectionId]);
  }

  /** Stores the consumers per connection as the provider lists them. Deletes consumers that the provider no longer lists. */
  async see(byConnection: ReadonlyMap<PrivateConnectionId, readonly SeenConsumer[]>): Promise<void> {
    const rows = [...byConnection].flatMap(([of, consumers]) => consumers.map((consumer) => ({ of, ...consumer })));
    await this.database.execute(SEE, [[...byConnection.keys()], JSON.stringify(rows)]);
  }
}
