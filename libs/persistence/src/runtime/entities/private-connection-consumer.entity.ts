import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { PrivateConnectionConsumerId, PrivateConnectionId } from '@libs/domain';

/** A customer endpoint that the provider reports for a private connection. */
@Entity('private_connection_consumers')
export class PrivateConnectionConsumer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: PrivateConnectionConsumerId;

  @Column('bigint')
  private_connection_id: PrivateConnectionId;

  @Column('text')
  connection_id: string;

  @Column('text')
  owner: string;

  @Column('text', { nullable: true })
  network: string | null;

  @Column('text', { nullable: true })
  endpoint: string | null;

  @Column('text')
  status: 'pending' | 'accepted' | 'rejected' | 'closed' | 'needs_attention';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
