export function guides(): { name: string; html: string }[];
