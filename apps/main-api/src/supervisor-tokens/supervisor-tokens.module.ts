import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { CellsRepository, UsersRepository } from '@libs/persistence/organization';
import { SupervisorTokensController } from './supervisor-tokens.controller.js';
import { SupervisorTokensService } from './supervisor-tokens.service.js';

@Module({
  imports: [PersistenceModule.forFeature([CellsRepository, UsersRepository])],
  controllers: [SupervisorTokensController],
  providers: [SupervisorTokensService],
})
export class SupervisorTokensModule {}
