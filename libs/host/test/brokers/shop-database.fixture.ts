import { createTestDatabase, type TestDatabase } from '@libs/testing';
import pg from 'pg';

/** A real database with the schema `shop`, and a role that owns only this schema. The connectors connect as this role. */
export class ShopDatabase {
  private constructor(
    private readonly database: TestDatabase,
    /** Connected as the owner of the database. */
    readonly owner: pg.Client,
    readonly role: string,
    /** For the role. */
    readonly address: string,
  ) {}

  static async create(): Promise<ShopDatabase> {
    const database = await createTestDatabase();
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const role = `connector_${process.pid}`;
    await owner.query(
      `create role ${role} login password 'of the connector'; create schema shop authorization ${role}`,
    );
    const url = new URL(database.url);
    [url.username, url.password, url.search] = [role, 'of%20the%20connector', '?sslmode=disable'];
    return new ShopDatabase(database, owner, role, url.href);
  }

  /** Deletes all tables of the schema. */
  async clear(): Promise<void> {
    await this.owner.query(`drop schema shop cascade; create schema shop authorization ${this.role}`);
  }

  async drop(): Promise<void> {
    await this.owner.query(`drop schema shop cascade; drop role ${this.role}`);
    await this.owner.end();
    await this.database.drop();
  }
}
