export function statementsSql(src: string, load: (file: string) => Promise<object>): Promise<string>;
