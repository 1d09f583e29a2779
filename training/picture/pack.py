"""Packs a trained network for `xiangqi-picture`: weights of eight bits, activations from 0 to 255."""
import sys

import numpy as np
import torch

from train import Net, as_input, load


def pack(net, sample):
    """The bytes of the file: for each layer its sizes, what is added, what sums are multiplied by, its weights."""
    net.eval()
    out = b""
    x = as_input(sample)
    # One unit of a layer's input, in its integers: patches are divided by 64.
    unit = 1 / 64
    with torch.no_grad():
        for i, (conv, norm) in enumerate(zip(net.convs, net.norms)):
            x = torch.relu(norm(conv(x)))
            top = float(np.quantile(x.numpy()[x.numpy() > 0], 0.9995))
            if i < 3:
                x = torch.nn.functional.max_pool2d(x, 2)
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = (conv.weight * gain[:, None, None, None]).permute(0, 2, 3, 1).flatten(1).numpy()
            bias = (norm.bias - norm.running_mean * gain).numpy()
            next_unit = top / 255
            step = np.abs(weight).max(1) / 127
            out += layer(weight, bias / next_unit, step, step * unit / next_unit)
            unit = next_unit
        weight, bias = net.out.weight.numpy(), net.out.bias.numpy()
        step = np.abs(weight).max(1) / 127
        out += layer(weight, bias, step, step * unit)
    return out


def layer(weight, bias, step, scale):
    whole = np.round(weight / step[:, None]).clip(-127, 127).astype(np.int8)
    return (np.array(weight.shape[::-1], "<u2").tobytes() + bias.astype("<f4").tobytes()
            + scale.astype("<f4").tobytes() + whole.tobytes())


if __name__ == "__main__":
    _, state, patches, target = sys.argv
    net = Net()
    net.load_state_dict(torch.load(state))
    x, _, _ = load(patches)
    data = pack(net, x[:3000])
    with open(target, "wb") as f:
        f.write(data)
    print(len(data), "bytes")
