#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures memory and throughput of `sgood score` on up to a million molecules, beside RDKit's own parsing.

usage: /usr/bin/python3 tools/measure_streaming.py SGOOD DATA FOLDER [--rows 10000,100000,1000000] [--threads 1]
  DATA    HIV's molecules (mol.csv.gz): each and its fragments are written in many ways as SMILES
  FOLDER  where model, rows and answers go

Needs Debian's python3-rdkit. Writes a JSON object per number of rows.
"""
import argparse
import csv
import gzip
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import subprocess
import time

from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")


def molecules(path):
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            molecule = Chem.MolFromSmiles(row["smiles"])
            if molecule is not None:
                yield molecule


def fragment(molecule, draw):
    """What is on one side of a random single bond outside rings, with a hydrogen where it was cut."""
    bonds = [bond.GetIdx() for bond in molecule.GetBonds()
             if not bond.IsInRing() and bond.GetBondType() == Chem.BondType.SINGLE]
    if not bonds:
        return molecule
    sides = Chem.GetMolFrags(Chem.FragmentOnBonds(molecule, [draw.choice(bonds)]), asMols=True)
    side = draw.choice(sides)
    for atom in side.GetAtoms():
        if atom.GetAtomicNum() == 0:
            atom.SetAtomicNum(1)
            atom.SetIsotope(0)
    return Chem.RemoveHs(side)


def write_rows(target, count, source):
    """A random SMILES of every molecule and of a fragment of it, again and again until there are `count` rows."""
    if target.exists():
        return
    draw = random.Random(1)
    pool = list(molecules(source))
    with target.with_suffix(".part").open("w") as file:
        written = 0
        while written < count:
            draw.shuffle(pool)
            for molecule in pool:
                for what in (molecule, fragment(molecule, draw)):
                    if written == count:
                        break
                    smiles = Chem.MolToRandomSmilesVect(what, 1, randomSeed=draw.randrange(1 << 30))[0]
                    file.write(f"{smiles} m{written}\n")
                    written += 1
    target.with_suffix(".part").rename(target)


def run(command):
    """Seconds of wall and processor, and peak resident MiB, of a child process."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command}: status {status}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def parse_seconds(rows, most=20000):
    """Processor seconds a row that RDKit takes to parse, over the first rows."""
    smiles = []
    with rows.open() as file:
        for line in file:
            smiles.append(line.split()[0])
            if len(smiles) == most:
                break
    start = time.process_time()
    for text in smiles:
        Chem.MolFromSmiles(text)
    return (time.process_time() - start) / len(smiles)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sgood")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", default="10000,100000,1000000")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--method", default="sgood")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    model = options.folder / f"{options.method}.sgood"
    if not model.exists():
        quick = ["--set", "pretrain_epochs=2", "--set", "finetune_epochs=5"] if options.method == "sgood" else []
        subprocess.run([options.sgood, "fit", options.data, "--labels", "HIV_active", "-o", model, "--method",
                        options.method, *quick], check=True)
    for count in map(int, options.rows.split(",")):
        rows = options.folder / f"{count}.smi"
        # In a process of its own: a child's peak counts what its parent held when it was made.
        writer = multiprocessing.Process(target=write_rows, args=(rows, count, options.data))
        writer.start()
        writer.join()
        before = parse_seconds(rows)
        wall, processor, peak = run([options.sgood, "score", model, rows, "-o", options.folder / "scores.csv",
                                     "--threads", options.threads])
        parse = statistics.mean([before, parse_seconds(rows)])
        with (options.folder / "scores.csv").open() as file:
            answered = sum(1 for _ in file) - 1
        print(json.dumps({"method": options.method, "rows": count, "answered": answered, "threads": int(options.threads),
                          "peak_mib": round(peak, 1), "rows_per_wall_second": round(count / wall),
                          "rows_per_cpu_second": round(count / processor),
                          "rdkit_parse_rows_per_cpu_second": round(1 / parse),
                          "score_over_parse": round(processor / count / parse, 2)}), flush=True)


if __name__ == "__main__":
    main()
