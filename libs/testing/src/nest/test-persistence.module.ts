import { type DynamicModule, Module } from '@nestjs/common';
import { Database, Notifications, Secrets } from '@libs/persistence';
import { REPOSITORIES } from '@libs/persistence/module';

/** Provides the database, the secrets and the repositories of a test where an app has `PersistenceModule.forRoot`. Notifications are off. */
@Module({})
export class TestPersistenceModule {
  static of({ database, secrets }: { database: Database; secrets: Secrets }): DynamicModule {
    return {
      module: TestPersistenceModule,
      global: true,
      providers: [
        { provide: Database, useValue: database },
        { provide: Secrets, useValue: secrets },
        { provide: Notifications, useFactory: () => new Notifications('') },
        ...REPOSITORIES,
      ],
      exports: [Database, Secrets, Notifications, ...REPOSITORIES],
    };
  }
}
