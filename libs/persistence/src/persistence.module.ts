import {
  type DynamicModule,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Injectable,
  type Type,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database } from './database.js';
import { dataSourceOptions, type PersistenceOptions } from './data-source.js';
import { Notifications } from './notifications.js';
import { SchemaCheck } from './schema-check.js';
import { Secrets } from './secrets.js';

@Injectable()
class NotificationsLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly notifications: Notifications) {}

  async onModuleInit(): Promise<void> {
    await this.notifications.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications.close();
  }
}

/** Provides the database only after the schema check, so that no statement runs on a wrong schema. */
async function openDatabase(source: DataSource): Promise<Database> {
  const database = new Database(source);
  await new SchemaCheck(database).require();
  return database;
}

/**
 * `forRoot`: the database, the secrets and the notifications of one process, for every module of its app. `forFeature`: the
 * repositories that one module uses.
 */
@Module({})
export class PersistenceModule {
  static forRoot(options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 10, retryDelay: 500 })],
      providers: [
        { provide: Database, useFactory: openDatabase, inject: [DataSource] },
        { provide: Secrets, useFactory: () => new Secrets(options.secretKeys) },
        { provide: Notifications, useFactory: () => new Notifications(options.databaseUrl) },
        NotificationsLifecycle,
      ],
      exports: [Database, Secrets, Notifications],
    };
  }

  static forFeature(repositories: Type[]): DynamicModule {
    return { module: PersistenceModule, providers: repositories, exports: repositories };
  }
}
