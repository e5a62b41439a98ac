import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { SummariesRepository } from '@libs/persistence/runtime';
import { SummariesController } from './summaries.controller.js';
import { SummariesService } from './summaries.service.js';

@Module({
  imports: [PersistenceModule.forFeature([SummariesRepository])],
  controllers: [SummariesController],
  providers: [SummariesService],
})
export class SummariesModule {}
