import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Program = [command: string, ...args: string[]];

/** A language of docs/integrate/receivers.md, and how its snippet becomes a program. */
export interface SnippetLanguage {
  name: string;
  /** The tag of its code block. */
  tag: string;
  /** The required programs, which answer `--version`, or the given `versionArgument`. */
  commands: string[];
  versionArgument?: string;
  /** Writes the program into the folder, builds it, and returns its command line. */
  build(snippet: string, folder: string): Program | Promise<Program>;
}

// Each program reads lines of tab-separated fields: the body's file, webhook-id, webhook-timestamp, webhook-signature,
// Signature, the secrets separated by commas, and the time in seconds since 1970. For each line it prints two results:
// whether the headers of Standard Webhooks verify the body, and whether only Signature does.

/** It runs only briefly, so optimized compilation is not worth it. */
const JAVAC_FLAGS = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
const compile = promisify(execFile);

const written = (folder: string, name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

export const LANGUAGES: readonly SnippetLanguage[] = [
  {
    name: 'Node',
    tag: 'js',
    commands: [process.execPath],
    build: (snippet, folder) => [
      process.execPath,
      written(
        folder,
        'snippet.mjs',
        `${snippet}
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const [file, id, timestamp, signatures, signature, all, now] = line.split('\\t');
  const [body, secrets] = [readFileSync(file), all.split(',')];
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
  console.log(isGenuine(body, headers, secrets, Number(now)), secrets.some((secret) => isSigned(body, signature, secret)));
}`,
      ),
    ],
  },
  {
    name: 'Python',
    tag: 'python',
    commands: ['python3'],
    build: (snippet, folder) => [
      'python3',
      written(
        folder,
        'snippet.py',
        `${snippet}
import sys
for line in sys.stdin:
    file, id, timestamp, signatures, signature, all, now = line.rstrip("\\n").split("\\t")
    body, secrets = open(file, "rb").read(), all.split(",")
    headers = {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures}
    results = is_genuine(body, headers, secrets, int(now)), any(is_signed(body, signature, secret) for secret in secrets)
    print(*(str(result).lower() for result in results), flush=True)`,
      ),
    ],
  },
  {
    name: 'PHP',
    tag: 'php',
    commands: ['php'],
    build: (snippet, folder) => [
      'php',
      written(
        folder,
        'snippet.php',
        `<?php
${snippet}
while (($line = fgets(STDIN)) !== false) {
    [$file, $id, $timestamp, $signatures, $signature, $all, $now] = explode("\\t", rtrim($line, "\\n"));
    [$body, $secrets] = [file_get_contents($file), explode(',', $all)];
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signatures];
    $signed = array_filter($secrets, fn ($secret) => is_signed($body, $signature, $secret)) !== [];
    echo var_export(is_genuine($body, $headers, $secrets, (int) $now), true), ' ', var_export($signed, true), "\\n";
}`,
      ),
    ],
  },
  {
    name: 'Go',
    tag: 'go',
    commands: ['go'],
    versionArgument: 'version',
    build: async (snippet, folder) => {
      written(folder, 'go.mod', 'module snippet\n\ngo 1.20\n');
      written(folder, 'webhooks.go', snippet.replace('package webhooks', 'package main'));
      written(
        folder,
        'main.go',
        `package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\\t")
		body, _ := os.ReadFile(fields[0])
		headers := map[string]string{"webhook-id": fields[1], "webhook-timestamp": fields[2], "webhook-signature": fields[3]}
		secrets := strings.Split(fields[5], ",")
		now, _ := strconv.ParseInt(fields[6], 10, 64)
		header := func(name string) string { return headers[name] }
		signed := false
		for _, secret := range secrets {
			signed = signed || IsSigned(body, fields[4], secret)
		}
		fmt.Println(IsGenuine(body, header, secrets, time.Unix(now, 0)), signed)
	}
}
`,
      );
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '-mod=mod' };
      await compile('go', ['build', '-o', 'snippet', '.'], { cwd: folder, env });
      return [join(folder, 'snippet')];
    },
  },
  {
    name: 'Java',
    tag: 'java',
    commands: ['javac', 'java'],
    build: async (snippet, folder) => {
      written(folder, 'Webhooks.java', snippet);
      written(
        folder,
        'Main.java',
        `import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

final class Main {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\\t", -1);
            byte[] body = Files.readAllBytes(Path.of(fields[0]));
            Map<String, String> headers =
                Map.of("webhook-id", fields[1], "webhook-timestamp", fields[2], "webhook-signature", fields[3]);
            List<String> secrets = List.of(fields[5].split(","));
            boolean isSigned = false;
            for (String secret : secrets) isSigned |= Webhooks.isSigned(body, fields[4], secret);
            System.out.println(Webhooks.isGenuine(body, headers::get, secrets, Long.parseLong(fields[6])) + " " + isSigned);
        }
    }
}
`,
      );
      await compile('javac', [...JAVAC_FLAGS, '-d', folder, 'Webhooks.java', 'Main.java'], { cwd: folder });
      return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'Main'];
    },
  },
  {
    name: 'Ruby',
    tag: 'ruby',
    commands: ['ruby'],
    build: (snippet, folder) => [
      'ruby',
      written(
        folder,
        'snippet.rb',
        `${snippet}
STDOUT.sync = true
STDIN.each_line do |line|
  file, id, timestamp, signatures, signature, all, now = line.chomp.split("\\t", -1)
  body, secrets = File.binread(file), all.split(",")
  headers = { "webhook-id" => id, "webhook-timestamp" => timestamp, "webhook-signature" => signatures }
  puts "#{genuine?(body, headers, secrets, now.to_i)} #{secrets.any? { |secret| signed?(body, signature, secret) }}"
end`,
      ),
    ],
  },
];

const page = readFileSync(new URL('../../../docs/integrate/receivers.md', import.meta.url), 'utf8');

/** The language's code under "Verification by hand". Throws if the page has none. */
export function snippetOf({ name, tag }: SnippetLanguage): string {
  const [, byHand = ''] = page.split('## Verification by hand');
  const [, code] = new RegExp(`### ${name}\n\n\`\`\`${tag}\n([^]*?)\n\`\`\``).exec(byHand) ?? [];
  if (code === undefined) throw new Error(`docs/integrate/receivers.md has no snippet for ${name}`);
  return code;
}

/** Whether every required program of the language is on this machine. */
export const isAtHand = ({ commands, versionArgument = '--version' }: SnippetLanguage): boolean =>
  commands.every((command) => {
    try {
      execFileSync(command, [versionArgument], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
