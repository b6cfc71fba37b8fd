#!/usr/bin/env node
import { Command } from 'commander';
import { describeListen } from '../cli/listen/listen-command.js';
import { prepared, PROCESS_TERMINAL, runProgram } from '../cli/run.js';

const program = describeListen(prepared(new Command('listen'), PROCESS_TERMINAL), PROCESS_TERMINAL);
process.exitCode = await runProgram(program, process.argv.slice(2), PROCESS_TERMINAL);
