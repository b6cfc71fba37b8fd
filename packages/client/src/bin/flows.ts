#!/usr/bin/env node
import { Command } from 'commander';
import { describeFlows } from '../cli/flows/flows-commands.js';
import { prepared, PROCESS_TERMINAL, runProgram } from '../cli/run.js';

const program = describeFlows(prepared(new Command('flows'), PROCESS_TERMINAL), PROCESS_TERMINAL);
process.exitCode = await runProgram(program, process.argv.slice(2), PROCESS_TERMINAL);
