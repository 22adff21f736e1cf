import { type Flavor } from '../flavor';

/** The app: all stacks, or the one that the environment names. */
export function mainText({ core }: Flavor): string {
  return `import { App } from "${core}";
import { loadStacks } from "./load-stacks";

/** All stacks, or one alone: STACK=shop_example_com npm run synth */
async function main(): Promise<void> {
  const app = new App();
  for (const { name, Stack } of await loadStacks(process.env["STACK"])) {
    new Stack(app, name);
  }
  app.synth();
}

void main();
`;
}

/** Finds the stacks by their files, so that adding a zone is adding its file. */
export function loaderText({ core }: Flavor): string {
  return `import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { TerraformStack } from "${core}";
import { type Construct } from "constructs";

type StackClass = new (scope: Construct, id: string) => TerraformStack;

const folder = join(__dirname, "stacks");

/**
 * The stacks of the folder "stacks", one a file, in order.
 * @param only the name of the one that is wanted: the files of the others are not loaded
 */
export async function loadStacks(
  only?: string,
): Promise<{ name: string; Stack: StackClass }[]> {
  const files = only ? [\`\${basename(only)}.ts\`] : readdirSync(folder).sort();
  const stacks: { name: string; Stack: StackClass }[] = [];
  for (const file of files) {
    if (!file.endsWith(".ts")) continue;
    const path = join(folder, file);
    if (!existsSync(path)) throw new Error(\`there is no stack \${path}\`);
    const exported: unknown = await import(path);
    const Stack = Object.values(exported ?? {}).find(isStackClass);
    if (Stack === undefined) throw new Error(\`\${path} exports no stack\`);
    stacks.push({ name: basename(file, ".ts"), Stack });
  }
  return stacks;
}

function isStackClass(value: unknown): value is StackClass {
  return (
    typeof value === "function" && value.prototype instanceof TerraformStack
  );
}
`;
}

/** A test with CDKTF's matchers, of what no change of a stack may lose. */
export function testText({ core, importPath }: Flavor): string {
  return `import { CloudflareProvider } from "${importPath}/provider";
import { Ruleset } from "${importPath}/ruleset";
import { Testing } from "${core}";
import "${core}/lib/testing/adapters/jest";
import { loadStacks } from "../load-stacks";

Testing.setupJest();

async function synthAll(): Promise<{ name: string; json: string }[]> {
  const stacks = await loadStacks();
  return stacks.map(({ name, Stack }) => ({
    name,
    json: Testing.synth(new Stack(Testing.app(), name)),
  }));
}

it("there is a stack", async () => {
  expect(await synthAll()).not.toEqual([]);
});

it("each stack declares the entry point of the managed rules of its zone", async () => {
  for (const { json } of await synthAll()) {
    expect(json).toHaveProvider(CloudflareProvider);
    expect(json).toHaveResourceWithProperties(Ruleset, {
      kind: "zone",
      phase: "http_request_firewall_managed",
    });
  }
});

it("no two stacks declare the ruleset of one zone", async () => {
  const zones = (await synthAll()).map(
    ({ json }) => /"zone_id": "(\\w+)"/.exec(json)?.[1],
  );
  expect(new Set(zones).size).toBe(zones.length);
});

it("no stack is without rules, or lets Terraform destroy them", async () => {
  for (const { name, json } of await synthAll()) {
    const rulesets = Object.values(
      JSON.parse(json).resource.cloudflare_ruleset,
    ) as { rules?: unknown[]; lifecycle?: object }[];
    for (const { rules = [], lifecycle } of rulesets) {
      expect([name, rules.length > 0, lifecycle]).toEqual([
        name,
        true,
        { prevent_destroy: true },
      ]);
    }
  }
});
`;
}
