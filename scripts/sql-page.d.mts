export function sqlPage(src: string, load: (file: string) => Promise<object>): Promise<string>;
