import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles, ConsoleFolder } from './console-files.js';
import { ConsoleSender } from './console-sender.js';
import { ContentPolicy } from './content-policy.js';

/** `dist/console`, beside the compiled apps. */
const FOLDER = fileURLToPath(new URL('../../../../console', import.meta.url));

@Module({
  controllers: [ConsoleController],
  providers: [
    { provide: ConsoleFolder, useValue: { path: FOLDER } },
    {
      provide: ConsoleFiles,
      useFactory: ({ path }: ConsoleFolder) => ConsoleFiles.read(path),
      inject: [ConsoleFolder],
    },
    ContentPolicy,
    ConsoleSender,
  ],
})
export class ConsoleModule {}
