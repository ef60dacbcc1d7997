export function greeting(person: string): string {
  const text = `Hello ${person}`; // stop: imported
  return text;
}
