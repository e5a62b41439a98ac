import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { MembersRepository, ProtectionCodesRepository } from '@libs/persistence/organization';
import { ProtectionCodesController } from './protection-codes.controller.js';
import { ProtectionCodes } from './protection-codes.js';
import { ProtectionCodesService } from './protection-codes.service.js';

@Module({
  imports: [PersistenceModule.forFeature([MembersRepository, ProtectionCodesRepository])],
  controllers: [ProtectionCodesController],
  providers: [ProtectionCodesService, ProtectionCodes],
  exports: [ProtectionCodes],
})
export class ProtectionCodesModule {}
