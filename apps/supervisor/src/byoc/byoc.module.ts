import { Module } from '@nestjs/common';
import { ByocController } from './byoc.controller.js';
import { ByocService } from './byoc.service.js';

@Module({
  controllers: [ByocController],
  providers: [ByocService],
})
export class ByocModule {}
