import type { PermissionTree, RoleId, TenantId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A role of a tenant: a tree of permissions. */
@Entity('roles')
export class Role {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: RoleId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  name: string;

  @Column('text')
  kind: 'system' | 'custom' | 'api_key';

  @Column('jsonb')
  permissions: PermissionTree;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
