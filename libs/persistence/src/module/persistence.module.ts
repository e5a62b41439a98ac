import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit, Injectable } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Database } from '../database.js';
import { dataSourceOptions, type PersistenceOptions } from '../data-source.js';
import { Notifications } from '../notifications.js';
import { REPOSITORIES } from './repositories.js';
import { SchemaCheck } from '../schema-check.js';
import { untilDatabaseAnswers } from '../start/until-database-answers.js';
import { Secrets } from '../secrets.js';

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
async function openDatabase(source: DataSource, databaseUrl: string): Promise<Database> {
  const database = new Database(source);
  await untilDatabaseAnswers(databaseUrl, () => new SchemaCheck(database).require());
  return database;
}

/** The database, the secrets, the notifications and all repositories of one process, for every module of its app. */
@Module({})
export class PersistenceModule {
  static forRoot(options: PersistenceOptions): DynamicModule {
    const { databaseUrl } = options;
    const connect = (settings?: DataSourceOptions): Promise<DataSource> =>
      untilDatabaseAnswers(databaseUrl, () => new DataSource(settings ?? dataSourceOptions(options)).initialize());
    return {
      module: PersistenceModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({ useFactory: () => dataSourceOptions(options), dataSourceFactory: connect }),
      ],
      providers: [
        {
          provide: Database,
          useFactory: (source: DataSource) => openDatabase(source, databaseUrl),
          inject: [DataSource],
        },
        { provide: Secrets, useFactory: () => new Secrets(options.secretKeys) },
        { provide: Notifications, useFactory: () => new Notifications(databaseUrl) },
        NotificationsLifecycle,
        ...REPOSITORIES,
      ],
      exports: [Database, Secrets, Notifications, ...REPOSITORIES],
    };
  }
}
